"""Each reply as the value it means, or as nothing at all.

Every row is looked at whether it is of the scope that was asked for, and a page with one that is
not is dropped whole. Where a reply must come from one epoch, one that says none proves neither
that something is there nor that it is not.
"""

from __future__ import annotations

from localmem.core import model
from localmem.core import scope as scopes
from localmem.core.model import NO_METADATA
from localmem.core.records import Removal
from localmem.core.scope import Scope
from localmem.errors import InvalidScope
from localmem.wire import remote as wire
from localmem.wire.remote import Broken, Fault
from sync.http_remote import faults, refusals
from sync.http_remote.asking import One
from sync.http_remote.exchange import Came, Exchange
from sync.messages import (
    Absent,
    Added,
    AddFact,
    AddFacts,
    AskChanges,
    Changes,
    Collections,
    CreateCollection,
    Done,
    DropFact,
    DropFacts,
    Expired,
    FactRow,
    Facts,
    GoneFact,
    GoneItem,
    Identify,
    ItemRow,
    Items,
    ListCollections,
    ListFacts,
    ListItems,
    NewFact,
    NoReply,
    OtherEpoch,
    ReadItem,
    Refusal,
    Reply,
    Results,
    Step,
    WriteItem,
    WriteItems,
)

_TELLING = (404, 409, 410, 412)
"""Refusals from which something follows: they must come from the memory API itself."""
_READS = (Identify, AskChanges, ListFacts, ListCollections, ListItems, ReadItem)
_HTML = ("text/html", "application/xhtml+xml")
_NO_TIME, _PROXY_WANTS = 408, 407


def answer(request: One, came: Came, to: Exchange, epoch: str | None) -> Reply:
    """What the reply to a request means."""
    if 200 <= came.status < 300:
        return unusable(came, to, epoch) or _success(request, came, to, epoch)
    return refused(request, came, to, epoch)


def broken(to: Exchange, why: str) -> NoReply:
    return NoReply(faults.BROKEN_REPLY, faults.broken(to.host, why))


def elsewhere(to: Exchange, came: Came) -> NoReply:
    """That this is no memory API."""
    what = "a web page" if came.kind in _HTML else _kind(to, came)
    sentence = faults.not_a_memory_api(to.host, f"{what} ({came.status})")
    return NoReply(faults.NOT_A_MEMORY_API, sentence)


def _kind(to: Exchange, came: Came) -> str:
    if not came.body:
        return "nothing"
    return "JSON of another kind" if came.json else to.printable(came.kind, 60)


def unusable(came: Came, to: Exchange, epoch: str | None) -> NoReply | None:
    if came.body and not came.json:
        return elsewhere(to, came)
    if epoch is not None and "memory-epoch" not in came.headers:
        return broken(to, "it does not say which library it is of")
    return None


# --- what was done, and what is there ----------------------------------------------------------


def _success(request: One, came: Came, to: Exchange, epoch: str | None) -> Reply:
    told: Reply | Broken
    match request:
        case AskChanges():
            told = _changes(request, came, to, epoch)
        case ListFacts():
            told = _facts(request, came)
        case ListItems():
            told = _items(request, came)
        case ListCollections():
            told = _collections(request, came)
        case ReadItem():
            told = _item(request, came)
        case CreateCollection():
            told = Done()
        case DropFact():
            told = Done(seq=_seq(came), cursor=_cursor(came))
        case WriteItem():
            told = _written(request, came)
        case AddFact():
            told = _added(request, came)
        case WriteItems():
            told = _each_item(request, came, to)
        case AddFacts():
            told = _each_fact(request, came, to)
        case DropFacts():
            told = _each_dropped(request, came, to)
    return broken(to, told.why) if isinstance(told, Broken) else told


_ELSEWHERE = Broken("it has rows of another scope than was asked for")
_AGAIN = Broken("its pages do not end")


def _facts(request: ListFacts, came: Came) -> Facts | Broken:
    page = wire.read(wire.FactPage, came.body)
    if isinstance(page, Broken):
        return page
    if not all(fact.is_of(request.scope) for fact in page.items):
        return _ELSEWHERE
    rows = tuple(_fact(request.scope, fact.id, fact) for fact in page.items)
    after = page.next_cursor or None
    return _AGAIN if after and after == request.cursor else Facts(rows, after)


def _fact(scope: Scope, id: str, told: wire.Fact | wire.Body) -> FactRow:
    return FactRow(
        scope, id, told.text or "", told.metadata or NO_METADATA, told.created_at, told.expires_at
    )


def _items(request: ListItems, came: Came) -> Items | Broken:
    page = wire.read(wire.ItemPage, came.body)
    if isinstance(page, Broken):
        return page
    rows: list[ItemRow] = []
    for item in page.items:
        row = _row(request.scope, request.collection, item)
        if isinstance(row, Broken):
            return row
        rows.append(row)
    after = page.next_cursor or None
    return _AGAIN if after and after == request.cursor else Items(tuple(rows), after)


def _item(request: ReadItem, came: Came) -> ItemRow | Broken:
    item = wire.read(wire.Item, came.body)
    if isinstance(item, Broken):
        return item
    if item.key != request.key:
        return Broken("it is of another key than was asked for")
    return _row(request.scope, request.collection, item, _etag(came))


def _row(
    scope: Scope, collection: str, item: wire.Item, etag: str | None = None
) -> ItemRow | Broken:
    rev = item.rev or etag
    if not item.is_of(scope) or item.collection not in (None, collection):
        return _ELSEWHERE
    if rev is None:
        return Broken("it says no rev")
    return ItemRow(
        scope,
        collection,
        item.key,
        rev,
        item.value,
        item.own or item.inc or "",
        item.updated_at,
        item.expires_at,
    )


def _collections(request: ListCollections, came: Came) -> Collections | Broken:
    page = wire.read(wire.CollectionPage, came.body)
    if isinstance(page, Broken):
        return page
    rows = tuple(
        model.Collection(
            each.name,
            tuple(index.field for index in each.indexes),
            each.default_ttl_seconds,
            each.implicit,
            each.created_at,
        )
        for each in page.items
        if each.status != "deleting"
    )
    after = page.next_cursor or None
    return _AGAIN if after and after == request.cursor else Collections(rows, after)


def _written(request: WriteItem, came: Came) -> Done | Broken:
    if request.step.delete:
        return Done(None, _seq(came), _cursor(came))
    told = wire.read(wire.Written, came.body) if came.body else wire.Written()
    if isinstance(told, Broken):
        return told
    if told.key not in (None, request.step.key) or not told.is_of(request.scope):
        return _ELSEWHERE
    rev = told.rev or _etag(came)
    if rev is None:
        return Broken("it says no rev")
    return Done(rev, _seq(came), _cursor(came), _own(came))


def _own(came: Came) -> str:
    """The server's name of the incarnation."""
    return came.headers.get("memory-own") or came.headers.get("memory-inc", "")


def _added(request: AddFact, came: Came) -> Added | Broken:
    told = wire.read(wire.Kept, came.body)
    if isinstance(told, Broken):
        return told
    if not told.is_of(request.scope):
        return _ELSEWHERE
    lm = (told.metadata or NO_METADATA).get("lm", "")
    return Added(told.id, lm, _seq(came), _cursor(came))


# --- batches -----------------------------------------------------------------------------------

_MISSING = "_not_found"
_COUNT = Broken("it has another number of results than it was asked for")


def _each_item(request: WriteItems, came: Came, to: Exchange) -> Results | Broken:
    told = wire.read(wire.Results, came.body)
    if isinstance(told, Broken):
        return told
    if len(told.results) != len(request.steps):
        return _COUNT
    pairs = list(zip(request.steps, told.results, strict=True))
    if any(result.key not in (None, step.key) for step, result in pairs):
        return Broken("its results are in another order than was asked for")
    each = tuple(_of_item(step, result, to) for step, result in pairs)
    return Results(each, _seq(came), _cursor(came))


def _of_item(step: Step, result: wire.Result, to: Exchange) -> Done | Absent | Refusal:
    if result.ok:
        rev = None if step.delete else result.rev
        return Done(rev, result.seq, None, result.own or result.inc or "")
    fault = result.fault()
    if step.delete and (fault.nothing_there or fault.code.endswith(_MISSING)):
        return Absent()
    return refusals.of_step(fault, to, deletes=step.delete)


def _each_fact(request: AddFacts, came: Came, to: Exchange) -> Results | Broken:
    told = wire.read(wire.Results, came.body)
    if isinstance(told, Broken):
        return told
    if len(told.results) != len(request.facts):
        return _COUNT
    each: list[Added | Refusal] = []
    for fact, result in zip(request.facts, told.results, strict=True):
        made = _of_fact(fact, result, to)
        if isinstance(made, Broken):
            return made
        each.append(made)
    return Results(tuple(each), _seq(came), _cursor(came))


def _of_fact(fact: NewFact, result: wire.Result, to: Exchange) -> Added | Refusal | Broken:
    if not result.ok:
        return refusals.of_step(result.fault(), to)
    if result.id is None:
        return Broken("a fact was kept, and it does not say as which")
    kept = fact.metadata if result.metadata is None else result.metadata
    return Added(result.id, kept.get("lm", ""), result.seq)


def _each_dropped(request: DropFacts, came: Came, to: Exchange) -> Results | Broken:
    told = wire.read(wire.Results, came.body)
    if isinstance(told, Broken):
        return told
    if len(told.results) != len(request.facts):
        return _COUNT
    each = tuple(_of_dropped(result, to) for result in told.results)
    return Results(each, _seq(came), _cursor(came))


def _of_dropped(result: wire.Result, to: Exchange) -> Done | Refusal:
    if result.ok or result.fault().code.endswith(_MISSING):
        return Done(seq=result.seq)
    return refusals.of_step(result.fault(), to, deletes=True)


# --- the feed ----------------------------------------------------------------------------------


def _changes(
    request: AskChanges, came: Came, to: Exchange, epoch: str | None
) -> Changes | OtherEpoch | Broken:
    page = wire.read(wire.Changes, came.body)
    if isinstance(page, Broken):
        return page
    if epoch is not None and page.epoch not in (None, epoch):
        return OtherEpoch(to.printable(page.epoch or "", 100))
    if page.more and page.cursor == request.cursor:
        return _AGAIN
    rows: list[FactRow | ItemRow | GoneFact | GoneItem] = []
    known: dict[str, Scope] = {}
    before = 0
    for change in page.changes:
        if not before < change.seq <= page.seq:
            return Broken("its changes are not in order")
        before = change.seq
        try:
            scope = known.get(change.scope) or scopes.parse(change.scope)
        except InvalidScope:
            return Broken("it has a row of a scope that is none")
        known[change.scope] = scope
        row = _gone(scope, change) if change.deleted else _live(scope, change)
        if isinstance(row, Broken):
            return row
        rows.append(row)
    return Changes(tuple(rows), page.cursor, page.seq, page.more)


_HALF = Broken("a row of it is not whole")


def _live(scope: Scope, change: wire.Change) -> FactRow | ItemRow | Broken:
    body = change.body
    if body is None or change.reason is not None:
        return _HALF
    if change.kind == "fact":
        whole = change.id is not None and body.text is not None
        return _fact(scope, change.id or "", body) if whole else _HALF
    if change.collection is None or change.key is None or change.rev is None:
        return _HALF
    if "value" not in body.model_fields_set:
        return _HALF
    return ItemRow(
        scope,
        change.collection,
        change.key,
        change.rev,
        body.value,
        change.own or change.inc or "",
        body.updated_at,
        body.expires_at,
    )


def _gone(scope: Scope, change: wire.Change) -> GoneFact | GoneItem | Broken:
    if change.reason is None or change.body is not None:
        return _HALF
    why = wire.REMOVALS[change.reason]
    if change.kind == "document":
        return _HALF if change.inc is None else _gone_item(scope, change.inc, change, why)
    return _HALF if change.id is None else GoneFact(scope, change.id, change.lm or "", why)


def _gone_item(scope: Scope, inc: str, change: wire.Change, why: Removal) -> GoneItem:
    return GoneItem(scope, inc, change.gen, why, change.own or inc)


# --- what was refused --------------------------------------------------------------------------


def refused(request: One | Identify, came: Came, to: Exchange, epoch: str | None) -> Reply:
    if came.status == _PROXY_WANTS:
        return NoReply(faults.PROXY, faults.proxy(to.host))
    if came.status == _NO_TIME:
        return NoReply(faults.TIMEOUT, faults.too_slow(to.host))
    fault = wire.fault(came.body) if came.json and came.body else None
    if came.status in _TELLING:
        problem = unusable(came, to, epoch)
        if problem is not None:
            return problem
        if fault is None or not fault.code:
            return elsewhere(to, came)
        if came.status == 404 and _is_conditional(request):
            came = came._replace(status=412)
        outcome = _outcome(request, came, fault)
        return refusals.refusal(came, fault, to) if outcome is None else outcome
    if came.kind in _HTML and came.status not in (413, 429, 503):
        return elsewhere(to, came)
    if came.status == 503 and not isinstance(request, _READS) and (not fault or not fault.code):
        return _in_between(came, to)
    if isinstance(request, AskChanges) and fault and fault.code == "invalid_cursor":
        return Expired()
    return refusals.refusal(came, fault, to)


def _is_conditional(request: One | Identify) -> bool:
    """Whether that nothing is there means that it is not what was written on."""
    return isinstance(request, WriteItem) and request.step.if_match is not None


def _outcome(request: One | Identify, came: Came, fault: Fault) -> Done | Absent | Expired | None:
    """A refusal that is an answer."""
    missing = came.status == 404
    match request:
        case AskChanges() if came.status == 410:
            return Expired()
        case DropFact() if missing:
            return Done()
        case ReadItem() | ListItems() if missing:
            return Absent()
        case WriteItem() if request.step.delete and (missing or fault.nothing_there):
            return Absent()
        case CreateCollection() if came.status == 409:
            return Done()
        case _:
            return None


def _in_between(came: Came, to: Exchange) -> NoReply:
    """Said on the way, perhaps after the server had done it."""
    wait = refusals.retry_after(came, to.now())
    return NoReply(faults.SERVER_ERROR, faults.failed(to.host, came.status), wait)


# --- headers -----------------------------------------------------------------------------------


def _seq(came: Came) -> int | None:
    text = came.headers.get("memory-seq", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


def _cursor(came: Came) -> str | None:
    return came.headers.get("memory-cursor") or None


def _etag(came: Came) -> str | None:
    """The rev that a header says, where it says one that If-Match can have."""
    text = came.headers.get("etag", "").strip().removeprefix("W/")
    rev = wire.rev_text(text)
    return rev if isinstance(rev, str) and wire.REV.fullmatch(rev) else None
