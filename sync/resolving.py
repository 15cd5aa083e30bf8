"""What the person decides about a conflict: ordinary edits, kept at once (sync.md 2.9, 2.10).

Each works inside one transaction of its own and needs no server; the next cycle sends what follows.
Forgetting is no decision of this kind: it is done as always, and closes the conflict with both
sides.
"""

from __future__ import annotations

from localmem.core.bodies import (
    NO_VV,
    Body,
    DocumentBody,
    Held,
    PreferenceBody,
    generation,
    incarnation,
    join,
    live,
)
from localmem.core.model import ItemId
from localmem.core.records import Removal
from localmem.core.replica import (
    Clashing,
    Conflict,
    Copy,
    Library,
    Pending,
    RecordKey,
    Tables,
)
from sync import facts, known
from sync.messages import DOCUMENTED
from sync.run import Options, Run


def open_conflict(tables: Tables, library: Library, key: RecordKey) -> Conflict | None:
    """The conflict as it stands; None when it is over."""
    run = _run(tables, library)
    with run.writing():
        return known.load(run, key).conflict


def keep_theirs(tables: Tables, library: Library, key: RecordKey) -> bool:
    """What the server has is what the person sees; False when there is no conflict any more."""
    run = _run(tables, library)
    with run.writing():
        record = known.load(run, key)
        conflict = record.conflict
        if conflict is None:
            return False
        if conflict.why is Clashing.SHAPE:
            return False  # nobody can read theirs
        theirs = conflict.theirs
        if theirs is not None and theirs.body.erased:
            tables.add_pending(Pending(key, None))  # its words went with a part of mine: read again
            return False
        copy = _settled(record.copy, conflict)
        if theirs is None:
            if copy.item is not None:
                run.bury(copy.inc, key.scope, Removal.FORGET)
                library.remove(copy.item, Removal.FORGET)
            tables.drop_copy(key)
        else:
            body = theirs.body
            if isinstance(body, DocumentBody) and run.dead(body.inc):
                body = body._replace(inc=library.new_id())  # a new one, in its words
            tables.put_copy(key, _written(run, key, copy, body))
        tables.drop_conflict(key)
        tables.drop_pending(Pending(key, None))
        if theirs is not None and known.load(run, key).dirty:
            tables.add_pending(Pending(key, None))
        if theirs is None and conflict.rev is not None:
            # The server went back to before it was forgotten.
            husk = Held(DocumentBody(copy.inc, erased=True), NO_VV)
            tables.put_copy(key, copy._replace(item=None, inc="", base=husk))
            tables.add_pending(Pending(key, None))
        return True


def keep_mine(tables: Tables, library: Library, key: RecordKey, merged: Body | None = None) -> bool:
    """What the person sees stays, or becomes `merged`, and is sent; False as above."""
    run = _run(tables, library)
    with run.writing():
        record = known.load(run, key)
        conflict, mine = record.conflict, merged or record.local
        if conflict is None:
            return False
        if _unseen(conflict):
            tables.add_pending(Pending(key, None))
            return False
        copy = _settled(record.copy, conflict)
        theirs = conflict.theirs.body if conflict.theirs else None
        if isinstance(mine, PreferenceBody):
            mine = mine._replace(gen=max(mine.gen, generation(theirs)), forgotten=False)
        elif isinstance(mine, DocumentBody):
            # An incarnation that others saw go never comes back: it goes on as theirs or anew.
            inc = incarnation(theirs)
            mine = mine._replace(inc=library.new_id() if not inc or run.dead(inc) else inc)
        if mine is not None:
            copy = _written(run, key, copy, mine, merged=merged is not None)
        tables.put_copy(key, copy)
        tables.drop_conflict(key)
        tables.add_pending(Pending(key, None))
        return True


def _unseen(conflict: Conflict) -> bool:
    """Whether the words of theirs went with a part of mine: they are read again before anybody
    decides."""
    theirs = conflict.theirs
    return theirs is not None and theirs.body.erased and live(theirs.body)


def _settled(copy: Copy, conflict: Conflict) -> Copy:
    """Both sides have seen theirs: it is what the decision is made on."""
    theirs = conflict.theirs
    vv = join(theirs.vv if theirs else NO_VV, copy.vv)
    return copy._replace(
        vv=vv, base=theirs, last=theirs.body if theirs else None, rev=conflict.rev, fights=0
    )


def _written(run: Run, key: RecordKey, copy: Copy, body: Body, *, merged: bool = False) -> Copy:
    if isinstance(body, PreferenceBody):
        run.library.put_preference(key.key, body, merged=merged)
        return copy
    if copy.item is not None and copy.inc != body.inc and run.dead(copy.inc):
        # Forgotten elsewhere: its earlier versions may not live on in what is kept instead.
        run.library.remove(copy.item, Removal.FORGET)
    item = run.library.put_document(key.scope, key.collection, key.key, body, merged=merged)
    return copy._replace(item=item, inc=body.inc)


def keep_mine_fact(tables: Tables, library: Library, item: ItemId) -> bool:
    """A fact whose older wording was forgotten elsewhere stays, as a new one; False when there is
    no conflict any more."""
    run = _run(tables, library)
    with run.writing():
        fact = library.fact(item)
        if fact is None or tables.fact_conflict(item) is None:
            return False
        # Anew: neither its earlier wordings nor their names may live on in it.
        facts.noted(run, item, Removal.FORGET)
        library.remove(item, Removal.FORGET)
        made = library.add_fact(fact.scope, library.new_id(), fact.body, proposed=False)
        tables.add_pending(Pending(None, made.item))
        return True


def drop_fact(tables: Tables, library: Library, item: ItemId) -> bool:
    """It is forgotten here too; False when there is no conflict any more."""
    run = _run(tables, library)
    with run.writing():
        if tables.fact_conflict(item) is None:
            return False
        facts.noted(run, item, Removal.FORGET)
        if library.fact(item) is not None:
            library.remove(item, Removal.FORGET)
        return True


def _run(tables: Tables, library: Library) -> Run:
    return Run(tables, library, DOCUMENTED, Options())
