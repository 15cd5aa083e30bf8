"""The server's own database, `server.db`: SQL of who may use it, apart from every library.

    schema      the tables
    database    opening, transactions, the server's own values
    access      spaces, keys, people, tokens
    sessions    sessions of tools
    ledger      units, wipes that are not finished, the audit log

Whoever adds a table gives it a file here, a member of `Hosting` in core.hosting_ports and a
migration.
"""
