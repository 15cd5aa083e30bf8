"""The hosted memory API, hosted by anyone: the same engine behind HTTP (design section 8).

    operations/  ONE table of what can be asked: name, path, input, right, handler over an engine
    app          the table as REST routes; who calls, may they, what do they ask, what came of it
    edge         around all of it: request ids, foreign hosts, the last line of defence, the log
    inputs       a request's path, query, headers and body as the values of an input model
    tools        what a person's assistant calls, over the person's own library
    auth         the credential of a request
    errors       the one total map from an error's code to its status and envelope
    limits       requests a minute, units a month
    cursors      opaque and signed, good for one list of one scope
    replies      one transaction and its number; once however often it is asked
    positions    cursors of changes
    epochs       whether a library is still the one that clients know
    control      the server's own database, on a thread of its own
    spaces       the open libraries: one engine and one thread each; what goes on after a reply
    openapi      the table as a document
    main         wiring, the socket, the stop

To add an endpoint: a model of its input (and its answer) in localmem/wire, a handler and a row in
operations/, a use case in the engine where there is none. Nothing here decides a rule, writes SQL
or knows a path of another operation.
"""
