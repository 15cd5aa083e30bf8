"""What config.toml and the environment say, understood as far as it can be; writes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from localmem.config.settings import (
    NO_MODEL,
    SETTINGS,
    TABLES,
    Setting,
    Settings,
    Source,
    key_list,
)
from localmem.errors import InvalidSettings

_BOMS = ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"))


class Found(NamedTuple):
    """What holds, where each value comes from, and what was passed over."""

    settings: Settings
    problems: tuple[str, ...] = ()
    """A sentence for each part that was passed over, and what holds instead."""
    sources: Mapping[str, Source] = MappingProxyType({})
    """For every value that is not the default: `floor`, `keys.search`."""


def understand(file: Path, environment: Mapping[str, str]) -> Found:
    """What is wrong becomes a problem and its default holds; the environment wins over the file.

    Raises nothing.
    """
    values: dict[str, Any] = {}
    sources: dict[str, Source] = {}
    problems: list[str] = []
    try:
        text = read_text(file)
        held = table(text, file.name) if text is not None else {}
    except InvalidSettings as problem:
        problems.append(f"{problem} Until then the defaults hold, and search is by words alone.")
        held, text = {}, None
        values["model"] = NO_MODEL
    for name, value in held.items():
        for key, taken, wrong in _understood(file.name, text or "", name, value):
            if wrong:
                problems.append(wrong)
            else:
                sources[key] = Source.FILE
            if taken is not None:
                _put(values, key, taken)
    for setting in SETTINGS.values():
        _overrule(setting, environment, values, sources, problems)
    return Found(Settings(**values), tuple(problems), sources)


def _understood(
    name: str, text: str, key: str, value: Any
) -> Iterator[tuple[str, Any | None, str]]:
    """(key, the value that holds or None, the problem or "") for a key and what is under it."""
    if key in TABLES and isinstance(value, Mapping):
        for last, under in value.items():
            yield from _understood(name, text, f"{key}.{last}", under)
        return
    try:
        check(key, value, where=f"{name}{_line(text, key)}")
    except InvalidSettings as problem:
        instead = SETTINGS[key].instead if key in SETTINGS else "It is passed over."
        yield key, NO_MODEL if key == "model" else None, f"{problem} {instead}"
        return
    if key != "keys":
        yield key, SETTINGS[key].held(value), ""
        return
    for action, keys in value.items():
        dotted = f"keys.{action}"
        try:
            check(dotted, keys, where=f"{name}{_line(text, dotted)}")
        except InvalidSettings as problem:
            yield dotted, None, f"{problem} Until then its own key holds."
        else:
            yield dotted, keys, ""


def _put(values: dict[str, Any], key: str, value: Any) -> None:
    if key.startswith("keys."):
        names = (value,) if isinstance(value, str) else tuple(value)
        values.setdefault("keys", {})[key.removeprefix("keys.")] = names
    else:
        values[SETTINGS[key].field] = value


def _overrule(
    setting: Setting,
    environment: Mapping[str, str],
    values: dict[str, Any],
    sources: dict[str, Source],
    problems: list[str],
) -> None:
    text = environment.get(setting.variable, "") if setting.variable else ""
    if not text:
        return
    try:
        values[setting.field] = typed(setting.name, text, where=setting.variable)
        sources[setting.name] = Source.ENVIRONMENT
    except InvalidSettings as problem:
        problems.append(f"{problem} It is passed over.")


def typed(key: str, text: str, *, where: str = "") -> Any:
    """The checked value of a setting that a typed text means. Raises InvalidSettings."""
    setting = SETTINGS[key]
    try:
        value = setting.typed(text)
    except ValueError:
        value = None
    check(key, value, where=where)
    return setting.held(value)


def check(key: str, value: Any, *, where: str = "") -> None:
    """Whether `key`, which may be `keys.ACTION`, may hold `value`. Raises InvalidSettings."""
    place = f" in {where}" if where else ""
    if key.startswith("keys."):
        if not key_list(value):
            raise InvalidSettings(
                f"{key[:60]}{place} must be the name of a key in quotes, or a list of them.",
                hint='Write it as "ctrl+f", or as ["ctrl+f", "/"].',
            )
        return
    if key in TABLES:
        raise InvalidSettings(f"{key}{place} must be a table of its own, [{key}].")
    if key not in SETTINGS:
        raise unknown(key, place)
    setting = SETTINGS[key]
    if not setting.accepts(value):
        hint = _meant(str(value), setting.near) if setting.near else ""
        wrong = setting.wrong(value)
        what = f"{setting.what}: {wrong}" if wrong else setting.what
        raise InvalidSettings(f"{key}{place} must be {what}.", hint=hint)


def unknown(key: str, place: str = "") -> InvalidSettings:
    hint = _meant(key, tuple(SETTINGS)) or f"The keys are {', '.join(SETTINGS)}."
    if key.startswith(("keys", "[keys")):
        hint = "Keys of the app stand under [keys], as ACTION = KEY."
    return InvalidSettings(f"There is no setting {key[:40]!r}{place}.", hint=hint)


def _meant(said: str, names: tuple[str, ...]) -> str:
    import difflib

    near = difflib.get_close_matches(said, names, n=1)
    return f"Did you mean {near[0]}?" if near else ""


def read_text(file: Path) -> str | None:
    """The text of the file; None when there is none. Raises InvalidSettings."""
    try:
        raw = file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise _unreadable(file, problem) from problem
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        told = next((name for mark, name in _BOMS if raw.startswith(mark)), "")
        line = raw[: problem.start].count(b"\n") + 1
        what = f"is {told}, not UTF-8" if told else f"is not UTF-8 (line {line})"
        raise InvalidSettings(
            f"{file.name} {what}.", hint=f"Save {file} as UTF-8 text; nothing was changed."
        ) from problem


def _unreadable(file: Path, problem: OSError) -> InvalidSettings:
    match problem:
        case NotADirectoryError():
            return InvalidSettings(
                f"{file.parent} is not a folder, so it holds no settings.",
                hint="Set LOCALMEM_HOME to a folder.",
            )
        case IsADirectoryError():
            return InvalidSettings(
                f"{file} is a folder, not a file.", hint="Move it away; settings are one file."
            )
        case PermissionError():
            return InvalidSettings(
                f"{file} may not be read.",
                hint="Give yourself the right to read it and to enter its folder.",
            )
        case _:
            return InvalidSettings(
                f"{file} cannot be read: {problem.strerror or problem}.",
                hint="Check the folder and the disk it lies on.",
            )


def table(text: str, name: str) -> dict[str, Any]:
    """What the text says, as plain values. Raises InvalidSettings, naming the line."""
    import tomllib  # most people never write a setting

    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as problem:
        last = f"at line {len(text.splitlines())}, the last one"
        told = str(problem).replace("at end of document", last)
        raise InvalidSettings(
            f"{name} is not valid TOML: {told}.", hint="Mend that line; nothing was changed."
        ) from problem
    except RecursionError as problem:
        raise InvalidSettings(
            f"{name} is nested too deep to be read.", hint="Settings are single lines, key = value."
        ) from problem


def _line(text: str, key: str) -> str:
    """` (line 3)`: where a key stands; "" when it is written in a way we do not look for."""
    head, dot, last = key.rpartition(".")
    inside = ""
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if bare.startswith("["):
            inside = bare.strip("[] \t").split("]")[0].strip()
            if not dot and inside == last:
                return f" (line {number})"
        elif inside == head and bare.split("=")[0].strip().strip("\"'") == last:
            return f" (line {number})"
    return ""
