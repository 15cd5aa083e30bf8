"""The stores that localmem is measured beside, each driven by one small script in its own venv.

    protocol.py      what every script answers: verbs as lines of JSON, timed where they run
    process.py       the other end: starts a script and asks it
    ours.py, chroma.py, lance.py, memory_service.py, bare.py     the scripts
    venvs.py         where the peers are installed, and how they get there
    given.py         the facts, the questions and the vectors that all of them get

A script imports only the standard library, numpy and its peer. Refuses the network: every process
gets the settings that keep its peer offline.
"""
