"""A writer that turns a library over and says each write before it begins and once it is done.

What it says of a write is the whole effect it must have. It works through the engine, as every
surface does; two of them share one library, each with memories of its own and one they both write.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench.durability import state as states
from bench.durability.state import Effect
from bench.durability.traces import KEY, WORD, DigestEmbedder, word
from localmem import ids
from localmem.core.change import Saved
from localmem.core.incoming import Incoming, Line
from localmem.core.model import DocumentContent, Evidence, FactContent, ItemId, Kind, Provenance
from localmem.core.ports import Clock
from localmem.core.records import Slice, UndoEntry
from localmem.core.recovery_key import written
from localmem.core.scope import PROJECT, contact
from localmem.engine import Engine
from localmem.engine.imports import Rules
from localmem.safe import Safe
from localmem.store import connect
from localmem.store.sqlite import SqliteStore, open_store
from tests.support.library import AGENT, BACKEND, PERSON

KINDS: dict[str, dict[str, int]] = {
    "write": {"add": 4, "edit": 4, "document": 4, "preference": 3, "draft": 2, "propose": 2,
              "accept": 1, "undo": 2, "restore_version": 1},
    "import": {"take": 8, "undo_import": 1, "add": 1, "edit": 1},
    "erase": {"forget": 5, "forget_preference": 2, "wipe": 1, "delete_collection": 1, "reject": 2,
              "undo": 1, "add": 5, "document": 3, "preference": 3, "propose": 2, "draft": 2},
    "embed": {"embed": 6, "change_model": 1, "add": 3, "edit": 2, "forget": 1},
    "encrypt": {"turn_over": 3, "add": 3, "edit": 2, "forget": 1},
    "backup": {"backup": 2, "restore": 2, "add": 3, "edit": 2, "forget": 2},
    "two": {"add": 3, "edit": 3, "document": 3, "shared": 3, "preference": 2, "forget": 2,
            "take": 2, "embed": 2, "draft": 1},
}  # fmt: skip
"""What each kind of round does, and how often."""

PREFERENCES = {
    "a": ("preferred_brands", "avoided_brands"),
    "b": ("preferred_merchants", "dietary_restrictions"),
}
RUN_LINES = 24
BATCH = 5
MODELS = ("digest", "digest-two")
ENVIRONMENT = {"LOCALMEM_KEY": written(KEY)}


def library_safe(library: Path) -> Safe:
    return Safe(library, ENVIRONMENT, allow_network=False, by=PERSON)


def open_engine(
    library: Path, clock: Clock = ids.now, *, cached: bool = False
) -> tuple[SqliteStore, Engine]:
    """As the product opens it: leftovers cleared away, the model attached."""
    store = open_store(library, clock, cached=cached, key=lambda: KEY)
    engine = Engine(store, clock, ids.TimeOrderedIds(clock), PERSON,
                    load_embedder=lambda: DigestEmbedder(MODELS[0]))  # fmt: skip
    engine.meaning.ensure()
    return store, engine


def run_lines(source: str) -> list[Line]:
    """What a file of that name offers, always the same: facts, a few documents, one said twice."""
    chance = random.Random(source)
    words = [word(chance, source[0]) for _ in range(RUN_LINES)]
    words[3] = words[2]
    return [
        Incoming(n, DocumentContent({"w": each}), Kind.DOCUMENT, collection=f"{source[0]}notes",
                 key=each) if n % 6 == 0 else Incoming(n, FactContent(each), scope=PROJECT)
        for n, each in enumerate(words, 1)
    ]  # fmt: skip


def line_effect(source: str, after: int, upto: int) -> list[list[str]]:
    """[name, word] of each memory that the lines behind `after` up to `upto` bring."""
    found: dict[str, str] = {}
    for line in run_lines(source)[after:upto]:
        assert isinstance(line, Incoming)
        said = states.first_word(line.content)
        found[f"{line.collection}/{line.key}@project" if line.collection else said] = said
    return [[name, said] for name, said in found.items()]


class Writer:
    def __init__(
        self,
        library: Path,
        chance: random.Random,
        say: Callable[[dict[str, Any]], None],
        *,
        letter: str,
        backups: Path,
    ) -> None:
        self._library = library
        self._chance = chance
        self._say = say
        self._letter = letter
        self._backups = backups
        self._open()

    def _open(self) -> None:
        self._store, self._engine = open_engine(self._library)
        self._look()

    def _look(self) -> None:
        connection = self._store.items.session.connection
        self._state, self._ids = states.read(connection, encrypted=self._store.encrypted)

    def run(self, kind: str, steps: int) -> None:
        deeds = KINDS[kind]
        for name in self._chance.choices(list(deeds), list(deeds.values()), k=steps):
            getattr(self, f"_{name}")()
        self._store.close()

    def _do(self, effect: Effect, deed: Callable[[], Any]) -> None:
        self._say({"begin": effect})
        result = deed()
        self._say({"done": effect})
        self._state = states.after(self._state, effect)
        for name, _ in effect.get("add", ()):
            if isinstance(result, Saved):
                self._ids[name] = str(result.item.id)

    def _word(self) -> str:
        return word(self._chance, self._letter)

    def _text(self, said: str) -> str:
        return said + " lorem ipsum" * self._chance.choice([0, 1, 30, 300])

    def _mine(self, kind: str = "") -> list[str]:
        """Memories of this writer, by name."""
        facts = [name for name in self._state if WORD.fullmatch(name) and name[0] == self._letter]
        documents = [name for name in self._state if name.startswith(f"{self._letter}notes/")]
        return {"fact": facts, "document": documents}.get(kind, facts + documents)

    def _id(self, name: str) -> ItemId:
        return ItemId(self._ids[name])

    # writing

    def _add(self) -> None:
        said = self._word()
        scope = self._chance.choice([PROJECT, contact(self._letter)])
        text = self._text(said)
        self._do({"add": [[said, said]]}, lambda: self._engine.facts.add(
            text, scope=scope, metadata={"note": "n"}))  # fmt: skip

    def _edit(self) -> None:
        mine = self._mine("fact")
        if not mine:
            return
        name, said = self._chance.choice(mine), self._word()
        by = self._engine if self._chance.random() < 0.8 else self._engine.acting(AGENT)
        text = self._text(said)
        self._do({"add": [[name, said]]}, lambda: by.facts.edit(self._id(name), text=text))

    def _document(self) -> None:
        collection = f"{self._letter}notes"
        if f"collection/{collection}" not in self._state:
            made: Effect = {"put": {f"collection/{collection}": ["made"]}}
            self._do(made, lambda: self._engine.documents.create_collection(
                collection, indexes=["w"]))  # fmt: skip
        key, said = f"k{self._chance.randrange(8)}", self._word()
        value = {"w": said, "more": self._text("text")}
        self._do({"add": [[f"{collection}/{key}@project", said]]},
                 lambda: self._engine.documents.set(collection, key, value))  # fmt: skip

    def _shared(self) -> None:
        said = self._word()
        put = {"collection/shared": ["implicit"]}
        self._do({"add": [["shared/k@project", said]], "put": put},
                 lambda: self._engine.documents.set("shared", "k", {"w": said}))  # fmt: skip

    def _preference(self) -> None:
        key, said = self._chance.choice(PREFERENCES[self._letter]), self._word()
        if self._chance.random() < 0.3:
            if self._engine.preferences.entry(key).inference_blocked:
                return
            self._do({"add": [[f"{key}:inferred", said]]},
                     lambda: self._engine.acting(BACKEND).preferences.remember(
                         key, [said], provenance=Provenance.INFERRED,
                         evidence=Evidence(purchase_id="p1")))  # fmt: skip
            return
        self._do({"add": [[f"{key}:declared", said]]},
                 lambda: self._engine.preferences.remember(
                     key, [said], evidence=Evidence(quote=f"I said {said}")))  # fmt: skip

    def _draft(self) -> None:
        said, slot = self._word(), f"{self._letter}{self._chance.randrange(3)}"
        mine = self._mine("fact")
        name = self._chance.choice(mine) if mine and self._chance.random() < 0.7 else ""
        item = self._id(name) if name else None
        self._do({"put": {f"draft/{slot}": [said, *([name] if name else [])]}},
                 lambda: self._engine.library.save_draft(slot, said, item=item))  # fmt: skip

    def _propose(self) -> None:
        said = self._word()
        self._do({"add": [[said, said]]}, lambda: self._engine.acting(AGENT).facts.add(said))

    def _accept(self) -> None:
        waiting = self._engine.inbox.window(offset=0, limit=3)
        if waiting:
            self._do({}, lambda: self._engine.inbox.accept([each.item.id for each in waiting]))

    def _restore_version(self) -> None:
        mine = [name for name in self._mine("fact") if len(self._state[name]) > 1]
        if not mine:
            return
        name = self._chance.choice(mine)
        words = self._state[name]
        number = self._chance.randrange(1, len(words))
        if words[number - 1] == words[-1]:
            return
        self._do({"add": [[name, words[number - 1]]]},
                 lambda: self._engine.versions.restore(self._id(name), number))  # fmt: skip

    def _undo(self) -> None:
        with self._store.reading():
            entry = self._store.history.last_undo()
            effect = self._taken_back(entry)
        if effect is not None:
            self._do(effect, self._engine.versions.undo)

    def _taken_back(self, entry: UndoEntry | None) -> Effect | None:
        """What undoing `entry` does; None when it does nothing."""
        effect: Effect = {"add": [], "undone": [], "put": {}}
        if entry is None or not entry.steps:
            return None
        names = {id: name for name, id in self._ids.items() if name in self._state}
        found = False
        for step, head in self._store.history.undo_steps(entry.seq, after="", limit=1_000):
            if head is None or not self._says(step.item, head, step.made):
                continue
            found = True
            if step.before is None:
                effect["undone"].append(names[str(step.item)])
            elif not self._says(step.item, head, step.before):
                before = self._said(step.item, step.before)
                effect["add"].append([names[str(step.item)], before])
        for run in self._store.imports.newest(50):
            if run.undo == entry.seq:
                effect["put"][f"run/{run.source}"] = ["undone", str(run.line)]
        return effect if found else None

    def _said(self, id: ItemId, number: int) -> str:
        version = self._store.items.version(id, number)
        return states.first_word(version.content) if version is not None else ""

    def _says(self, id: ItemId, head: int, number: int) -> bool:
        return head == number or self._said(id, head) == self._said(id, number)

    # importing

    def _take(self) -> None:
        source = self._run_source()
        engine, rules = self._engine.imports, Rules()
        with self._store.reading():
            before = [run for run in self._store.imports.newest(50) if run.source == source]
        if not before or before[0].state.value in ("done", "undone"):
            return
        run = before[0]
        if run.state.value == "running" and run.line >= RUN_LINES:
            self._do({"put": {f"run/{source}": ["done", str(run.line)]}},
                     lambda: engine.finish(run))  # fmt: skip
            return
        batch = run_lines(source)[run.line : run.line + BATCH]
        upto = run.line + len(batch)
        added = line_effect(source, run.line, upto)
        put = {f"run/{source}": ["running", str(upto)]}
        if any("/" in name for name, _ in added):
            kind = self._state.get(f"collection/{self._letter}notes", ("implicit",))
            put[f"collection/{self._letter}notes"] = list(kind)
        self._do({"add": added, "put": put}, lambda: engine.take(run, batch, rules))
        self._look()

    def _run_source(self) -> str:
        """The file that is being brought in, or the next one, begun."""
        mine = [name for name in self._state if name.startswith(f"run/{self._letter}-")]
        for name in mine:
            if self._state[name][0] not in ("done", "undone"):
                return name.removeprefix("run/")
        source = f"{self._letter}-{self._word()}"
        self._do({"put": {f"run/{source}": ["running", "0"]}},
                 lambda: self._engine.imports.begin(source, "lines", source, Rules()))  # fmt: skip
        return source

    def _undo_import(self) -> None:
        with self._store.reading():
            runs = [run for run in self._store.imports.newest(5) if run.undo is not None]
            if not runs:
                return
            run = self._chance.choice(runs)
            assert run.undo is not None
            effect = self._taken_back(self._store.history.undo_entry(run.undo))
        if effect is not None:
            self._do(effect, lambda: self._engine.imports.undo(run.id))

    # erasing

    def _forget(self) -> None:
        mine = self._mine()
        if not mine:
            return
        names = self._chance.sample(mine, min(len(mine), self._chance.choice([1, 1, 2, 3])))
        ids_ = [self._id(name) for name in names]
        self._do({"gone": names}, lambda: self._engine.forgetting.forget(ids_))

    def _forget_preference(self) -> None:
        key = self._chance.choice(PREFERENCES[self._letter])
        halves = [f"{key}:{half}" for half in ("declared", "inferred")]
        held = [half for half in halves if half in self._state]
        if held:
            self._do({"gone": held}, lambda: self._engine.preferences.forget(key))

    def _wipe(self) -> None:
        scope = contact(self._letter)
        with self._store.reading():
            held = set(map(str, self._store.items.rows(Slice(Kind.FACT, scope))))
        gone = [name for name in self._mine("fact") if self._ids[name] in held]
        self._do({"gone": gone}, lambda: self._engine.forgetting.wipe(scope))

    def _delete_collection(self) -> None:
        name = f"{self._letter}notes"
        if f"collection/{name}" in self._state:
            self._do({"gone": self._mine("document"), "drop": [f"collection/{name}"]},
                     lambda: self._engine.forgetting.delete_collection(name))  # fmt: skip

    def _reject(self) -> None:
        waiting = self._engine.inbox.window(offset=0, limit=5)
        if not waiting:
            return
        chosen = self._chance.choice(waiting)
        name = {id: name for name, id in self._ids.items()}[str(chosen.item.id)]
        effect: Effect = {"gone": [name]}
        if chosen.before is not None:
            before = states.first_word(chosen.before.content)
            effect = {} if before == self._state[name][-1] else {"add": [[name, before]]}
        self._do(effect, lambda: self._engine.inbox.reject(chosen.item.id))

    # vectors

    def _embed(self) -> None:
        self._do({}, lambda: self._engine.meaning.embed_waiting(8))

    def _change_model(self) -> None:
        model = DigestEmbedder(self._chance.choice(MODELS))
        self._do({}, lambda: self._engine.meaning.attach(model))

    # the file

    def _turn_over(self) -> None:
        turn = self._decrypt if self._store.encrypted else self._encrypt
        effect: Effect = {"put": {"encrypted": ["no" if self._store.encrypted else "yes"]}}
        self._store.close()
        self._do(effect, turn)
        self._open()

    def _encrypt(self) -> None:
        with library_safe(self._library).encrypting(keyring=False) as ready:
            ready.finish()

    def _decrypt(self) -> None:
        library_safe(self._library).decrypt()

    def _backup(self) -> None:
        name = f"backup-{self._chance.randrange(10**9)}.db"
        self._do({"backup": name},
                 lambda: self._engine.library.backup(str(self._backups / name)))  # fmt: skip

    def _restore(self) -> None:
        whole = sorted(file.name for file in self._backups.glob("backup-*.db"))
        if not whole:
            return
        name = self._chance.choice(whole)
        self._store.close()
        self._do({"restore": name}, lambda: self._bring_back(name))
        self._open()

    def _bring_back(self, name: str) -> None:
        safe = library_safe(self._library)
        with safe.restoring(self._backups / name, forgotten_too=False) as ready:
            ready.finish()


def partners(kind: str) -> Iterator[str]:
    """The letters of the writers of such a round."""
    yield "a"
    if kind == "two":
        yield "b"


def is_encrypted(library: Path) -> bool:
    return library.exists() and connect.look(library)
