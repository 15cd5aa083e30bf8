"""The programs that localmem's sync is measured beside, each a client and a server of its own.

    protocol.py      what every one of them does for a bench, and what it is asked for its costs
    trial.py         the steps, the same for all, and whether both devices hold the same after them
    records.py       the records that all of them get
    counting.py, counting.mjs    counts requests inside a server's process, in front of its app
    processes.py     starts servers and the clients that are driven by lines of JSON
    packages.py      where they are installed, and how they get there
    vdirsyncer.py, kinto.py, pouchdb.py, ours.py     one file for each; what runs in a process of
                     its own stands beside it: *_served is the server, *_client the client

A script that runs in a peer's interpreter imports only the standard library, `counting` and its
peer. Refuses the network: all of it is loopback, and every process gets the settings that keep its
peer offline.
"""
