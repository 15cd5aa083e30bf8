"""How bodies and wordings are written on the wire, and read again (sync.md 2.2, 2.11).

Everything stays plain JSON that agents can read: a document has one member more, `_lm`; a fact a
few names in its metadata; a preference is a document of the collection `preferences`. What other
clients wrote has none of that and is read all the same. Refuses a preference it cannot read
whole: that is `Unreadable`, never a guess.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import NamedTuple

from localmem.core import facts, preferences
from localmem.core.bodies import (
    VV,
    YOU,
    Author,
    Body,
    DocumentBody,
    PreferenceBody,
    Slot,
)
from localmem.core.model import AuthorKind, Json, Kind, Millis
from localmem.core.preferences import PreferenceKey
from localmem.core.replica import FactBody, RecordKey, Wording
from localmem.core.scope import PERSON, PROJECT, Scope
from localmem.errors import LocalmemError
from sync.messages import FactRow, ItemRow

LINEAGE = "_lm"
_MINE = "_own"
"""What a member of the person's own has behind it, where its name is ours."""
PREFERENCES = "preferences"
"""The collection of the six preferences, in the project's scope."""
MOST_SUP = 15
"""Ids that fit the 512 characters of one metadata value, 32 hex digits and a space each."""
ELSEWHERE = Author(AuthorKind.AGENT, "elsewhere")
"""Who wrote what no localmem did."""

_LM, _SUP, _BY, _AT, _PATH, _OWN = "lm", "sup", "lm_by", "lm_at", "lm_path", "lm_own_"
_OURS = frozenset({_LM, _SUP, _BY, _AT, _PATH})
_UUID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_HEX = re.compile("[0-9a-f]{32}")
_DEVICE = re.compile("[A-Za-z0-9_-]{1,64}")
_MOST_DEVICES = 256
_LARGEST = 1 << 53


class Unreadable(NamedTuple):
    """It stands where a preference belongs and is none."""


# --- where records are -------------------------------------------------------------------------


def place(key: RecordKey) -> tuple[Scope, str, str]:
    """Scope, collection and key of the item that holds the record on the server."""
    if key.kind is Kind.PREFERENCE:
        return PROJECT, PREFERENCES, key.key
    return key.scope, key.collection, key.key


def record_at(scope: Scope, collection: str, key: str) -> RecordKey:
    """Which record an item of the server is."""
    if (scope, collection) == (PROJECT, PREFERENCES) and key in set(PreferenceKey):
        return RecordKey(Kind.PREFERENCE, PERSON, "", key)
    return RecordKey(Kind.DOCUMENT, scope, collection, key)


# --- records -----------------------------------------------------------------------------------


def value(body: Body, vv: VV) -> Json:
    """What is sent of a record."""
    if isinstance(body, PreferenceBody):
        told: dict[str, Json] = {"gen": body.gen, "forgotten": body.forgotten}
        for name, slot in (("declared", body.declared), ("inferred", body.inferred)):
            if slot is not None:
                told[name] = _slot(slot)
        return told | {LINEAGE: {"vv": {**vv}}}
    if not isinstance(body.value, dict):
        return body.value
    lineage: dict[str, Json] = {"vv": {**vv}, "inc": body.inc, "at": body.at}
    if body.by != YOU:
        lineage["by"] = _author(body.by)
    own = {name + _MINE if _reserved(name) else name: part for name, part in body.value.items()}
    return {**own, LINEAGE: lineage}


def _reserved(name: str) -> bool:
    return name.startswith(LINEAGE) and not name.removeprefix(LINEAGE).replace(_MINE, "")


class Seen(NamedTuple):
    """A record as the server has it."""

    body: Body
    vv: VV | None
    """None where another client wrote it."""
    inc_told: bool = True
    """Whether the body's `inc` was told, or made up here."""


def read(row: ItemRow) -> Seen | Unreadable:
    key = record_at(row.scope, row.collection, row.key)
    if key.kind is Kind.PREFERENCE:
        return _preference(PreferenceKey(key.key), row)
    return _document(row)


def _document(row: ItemRow) -> Seen:
    held, lineage = row.value, None
    if isinstance(held, dict) and isinstance(held.get(LINEAGE), dict):
        lineage = held[LINEAGE]
        held = {
            name.removesuffix(_MINE) if _reserved(name) else name: part
            for name, part in held.items()
            if name != LINEAGE
        }
    told = lineage if isinstance(lineage, dict) else {}
    inc, vv = told.get("inc"), _vv(told.get("vv"))
    named = inc if isinstance(inc, str) and _UUID.fullmatch(inc) else row.inc
    body = DocumentBody(
        named
        or _made_up("inc", str(row.scope), row.collection, row.key, row.rev, at=row.updated_at),
        held,
        row.expires_at,
        _moment(told.get("at"), row.updated_at),
        _read_author(told.get("by"), YOU if vv is not None else ELSEWHERE),
    )
    return Seen(body, vv, bool(named))


def _preference(key: PreferenceKey, row: ItemRow) -> Seen | Unreadable:
    held = row.value
    if not isinstance(held, dict) or not isinstance(held.get("forgotten"), bool):
        return Unreadable()
    gen, forgotten = held.get("gen"), held["forgotten"] is True
    if type(gen) is not int or not 0 <= gen < _LARGEST:
        return Unreadable()
    declared = _read_slot(key, held.get("declared"), row.updated_at)
    inferred = _read_slot(key, held.get("inferred"), row.updated_at)
    if isinstance(declared, Unreadable) or isinstance(inferred, Unreadable):
        return Unreadable()
    if forgotten and (declared or inferred):
        return Unreadable()
    lineage = held.get(LINEAGE)
    vv = _vv(lineage.get("vv")) if isinstance(lineage, dict) else None
    return Seen(PreferenceBody(gen, forgotten, declared, inferred), vv)


def _slot(slot: Slot) -> Json:
    held: Json = slot.value if isinstance(slot.value, str) else [*slot.value]
    told: dict[str, Json] = {"value": held, "at": slot.at}
    for name, part in (
        ("quote", slot.quote),
        ("purchase_id", slot.purchase_id),
        ("source", slot.source),
        ("ver", slot.ver or None),
        ("by", None if slot.by == YOU else _author(slot.by)),
    ):
        if part is not None:
            told[name] = part
    return told


def _read_slot(key: PreferenceKey, held: Json, at: Millis) -> Slot | Unreadable | None:
    if held is None:
        return None
    if not isinstance(held, dict):
        return Unreadable()
    try:
        said = preferences.normalise(key, held.get("value"))
    except LocalmemError:
        return Unreadable()
    texts = [held.get(name) for name in ("quote", "purchase_id", "source", "ver")]
    quote, purchase, source, ver = (
        text[:500] if isinstance(text, str) and text else None for text in texts
    )
    by = _read_author(held.get("by"), YOU)
    return Slot(said, _moment(held.get("at"), at), by, quote, purchase, source, ver or "")


def _vv(held: Json) -> VV | None:
    if not isinstance(held, dict) or len(held) > _MOST_DEVICES:
        return None
    read: dict[str, int] = {}
    for device, counter in held.items():
        if type(counter) is not int or not 0 < counter < _LARGEST:
            return None
        if not _DEVICE.fullmatch(device):
            return None
        read[device] = counter
    return read or None


def _moment(held: Json, otherwise: Millis) -> Millis:
    return held if type(held) is int and 0 < held < _LARGEST else otherwise


def _author(by: Author) -> str:
    return f"{by.kind}:{by.name}"


def _read_author(held: Json, otherwise: Author) -> Author:
    if not isinstance(held, str):
        return otherwise
    kind, _, name = held.partition(":")
    if kind not in set(AuthorKind) or not name or len(name) > 255:
        return otherwise
    return Author(AuthorKind(kind), name)


# --- facts -------------------------------------------------------------------------------------


class Incoming(NamedTuple):
    """A wording as the server has it."""

    scope: Scope
    server_id: str
    lm: str
    sup: tuple[str, ...]
    body: FactBody
    ours: bool
    """Whether a localmem wrote it; what others wrote, nobody has seen yet."""


def metadata(wording: Wording, body: FactBody) -> Mapping[str, str] | None:
    """What is sent beside a text; None when the person's own leaves no room for even the id.

    What is only shown (by whom, when, which path) gives way first, then the older wordings.
    """
    own = {
        (_OWN + name if name in _OURS or name.startswith(_OWN) else name): held
        for name, held in body.metadata.items()
    }
    ours = {_LM: wording.lm}
    sup = [each.replace("-", "") for each in wording.sup[:MOST_SUP]]
    shown = {_PATH: body.path or "", _BY: _author(body.by) if body.by != YOU else ""}
    extras = {**{name: held for name, held in shown.items() if held}, _AT: str(body.at)}
    while True:
        whole = own | ours | ({_SUP: " ".join(sup)} if sup else {}) | extras
        if facts.metadata_size(whole) <= facts.MAX_METADATA_BYTES and len(whole) <= 64:
            return whole
        if extras:
            extras.popitem()
        elif sup:
            sup.pop()
        else:
            return None


def read_fact(row: FactRow) -> Incoming:
    held = dict(row.metadata)
    lm = held.pop(_LM, "").lower()
    lm = _dashed(lm) if _HEX.fullmatch(lm) else lm
    ours = bool(_UUID.fullmatch(lm))
    sup = tuple(_dashed(each) for each in held.pop(_SUP, "").split() if _HEX.fullmatch(each))
    by = _read_author(held.pop(_BY, None), YOU if ours else ELSEWHERE)
    moment = held.pop(_AT, "")
    at = int(moment) if moment.isdecimal() and len(moment) < 16 else row.created_at
    path = held.pop(_PATH, None)
    own = {name.removeprefix(_OWN): part for name, part in held.items()}
    body = FactBody(row.text, own, path, row.expires_at, at or row.created_at, by)
    if not ours:
        lm = _made_up("lm", str(row.scope), row.server_id, at=row.created_at)
    return Incoming(row.scope, row.server_id, lm, sup[:MOST_SUP], body, ours)


def name_of(scope: Scope, server_id: str) -> str:
    """What a fact is known by before a list was read, where the server tells no names: the answer
    to a write says nothing but its id there."""
    return _made_up("lm", str(scope), server_id, at=0)


def _dashed(hex: str) -> str:
    return f"{hex[:8]}-{hex[8:12]}-{hex[12:16]}-{hex[16:20]}-{hex[20:]}"


def _made_up(*parts: str, at: Millis) -> str:
    """An id every device makes for what came without one: a UUIDv7 of that moment."""
    digest = hashlib.sha256("\x00".join(parts).encode()).hexdigest()
    return _dashed(f"{at & 0xFFFF_FFFF_FFFF:012x}7{digest[:3]}8{digest[3:18]}")
