"""Who may use a server: its spaces, keys, people and tokens, over its own database.

    admission   who a credential belongs to, for the running server
    issuing     made, listed and revoked, for the commands beside it
    sessions    where the tools are called, each for whoever opened it

All act on one `Hosting` (core.hosting_ports), so that what is revoked is refused at the next
request.
Refuses to hand out a credential a second time: only its digest is kept.
"""
