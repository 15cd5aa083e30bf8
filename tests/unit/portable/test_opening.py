"""Encodings, wrong files, paths that lead nowhere: a sentence and a way on, no traceback."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

import pytest

from localmem import portable
from localmem.errors import Cancelled, ImportUnreadable, InvalidInput, LocalmemError
from localmem.portable import streams
from tests.support import exports
from tests.unit.portable.conftest import Given, read_file

BOM = "\ufeff"


@pytest.mark.parametrize("name", ["l.ndjson", "l.txt"])
def test_byte_order_marks_and_carriage_returns_are_not_of_the_text(given: Given, name: str) -> None:
    """FR-95: at the start, where two files were joined, and with blank lines at the end."""
    lines = [json.dumps({"text": f"m{n}"}) if name == "l.ndjson" else f"m{n}" for n in range(4)]
    joined = f"{BOM}{lines[0]}\r\n{lines[1]}\r\n{BOM}{lines[2]}\r\n{lines[3]}\r\n\r\n\r\n"
    read = given(joined, name)
    assert read.texts == ["m0", "m1", "m2", "m3"]
    assert read.bad == []


def test_two_lists_joined_with_a_byte_order_mark_between_them(given: Given) -> None:
    """FR-95."""
    assert given(f'{BOM}["a"]\r\n{BOM}["b"]\r\n', "l.json").texts == ["a", "b"]
    objects = f'{BOM}{{\n"items": [{{"text": "a"}}]}}{BOM}{{"items": [{{"text": "b"}}]}}'
    assert given(objects, "l.json").texts == ["a", "b"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_wide_encodings_are_read_and_said(given: Given, encoding: str) -> None:
    read = given("Gosta de café\nSecond line here\n".encode(encoding))
    assert read.texts == ["Gosta de café", "Second line here"]
    assert "UTF-" in read.source.notes[0]
    assert given(json.dumps(["a", "b"]).encode(encoding), "l.json").texts == ["a", "b"]


@pytest.mark.parametrize("text", ["Não gosta de café", "Él prefiere más té", "Möchte früh für"])
def test_windows_1252_is_read_where_it_is_certain(given: Given, text: str) -> None:
    read = given(f"{text}\n".encode("cp1252"))
    assert read.texts == [text]
    assert "Windows-1252" in read.source.notes[0]


@pytest.mark.parametrize(
    ("text", "encoding"),
    [("Привет, мир", "cp1251"), ("Łódź i żółć", "cp1250"), ("你好世界", "gb18030"),
     ("こんにちは", "shift-jis")],
)  # fmt: skip
def test_an_alphabet_that_cannot_be_told_is_refused_with_how_to_convert(
    given: Given, text: str, encoding: str
) -> None:
    with pytest.raises(ImportUnreadable) as refused:
        given(f"{text}\n".encode(encoding))
    assert "iconv" in refused.value.hint


def test_one_broken_line_in_utf8_costs_that_line_alone(given: Given) -> None:
    read = given("Gosta de café\n".encode() + b"bad \xff\xfe line\n" + "chá\n".encode())
    assert read.texts == ["Gosta de café", "chá"]
    assert read.bad == [(2, "The line is not UTF-8.")]


def test_an_old_mac_ends_lines_with_carriage_returns(given: Given) -> None:
    assert given("one\rtwo\rthree").texts == ["one", "two", "three"]


def test_a_line_without_end_is_refused_and_the_next_one_read(given: Given) -> None:
    read = given(b"a\n" + b"x" * (17 * 1024 * 1024) + b"\nb\n")
    assert read.texts == ["a", "b"]
    assert read.bad == [(2, "The line is longer than 16 MB.")]


def test_a_value_without_end_is_refused_before_it_fills_the_memory(
    given: Given, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "LONGEST", 1_000_000)
    for begin in (b'["', b'{"items": [{"text": "'):
        with pytest.raises(ImportUnreadable, match="more than 16 MB"):
            given(begin + b"x" * 2_000_000, "l.json")


@pytest.mark.parametrize("held", ["[" * 100_000, '{"a":' * 100_000, '{"items": [' + "[" * 100_000])
def test_nesting_without_end_is_refused(given: Given, held: str) -> None:
    with pytest.raises(ImportUnreadable, match=r"nested too deep|not valid|breaks off"):
        given(held, "deep.json")


WRONG = {
    "photo.png": (b"\x89PNG\r\n\x1a\n" + bytes(64), "a picture"),
    "photo.jpg": (b"\xff\xd8\xff\xe0" + bytes(64), "a picture"),
    "paper.pdf": (b"%PDF-1.7\n", "a PDF"),
    "library.db": (b"SQLite format 3\0" + bytes(64), "an SQLite database"),
    "export.json.gz": (b"\x1f\x8b\x08" + bytes(20), "a gzip archive"),
    "noise.txt": (bytes(range(256)) * 40, "not text"),
    "empty.txt": (b"", "is empty"),
    "blank.txt": (b" \n\n\t\n", "nothing but blanks"),
    "chat.html": (b"<!DOCTYPE html><html><body>", "a web page"),
    "table.csv": (b"id,text\n1,a\n", "a table"),
    "broken.json": (b'{"text": "a', "breaks off"),
}


@pytest.mark.parametrize("name", list(WRONG))
def test_a_wrong_file_is_called_what_it_is(given: Given, name: str) -> None:
    """FR-104: a wrong file; what it is, and what would be right."""
    held, said = WRONG[name]
    with pytest.raises(ImportUnreadable) as refused:
        given(held, name)
    assert said in str(refused.value)
    assert refused.value.hint


def test_a_path_that_leads_nowhere_names_what_was_tried_and_what_is_near(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FR-104."""
    (tmp_path / "conversations.json").write_text("[]")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ImportUnreadable) as refused:
        portable.open_source("conversation.json")
    assert f"conversation.json and {tmp_path}/conversation.json" in refused.value.message
    assert "Did you mean conversations.json" in refused.value.hint
    assert "Export data" in refused.value.hint
    with pytest.raises(ImportUnreadable) as refused:
        portable.open_source(tmp_path / "no" / "where.txt", format="claude")
    assert f"The path ends at {tmp_path}." in refused.value.hint
    assert "View and edit your memory" in refused.value.hint
    with pytest.raises(ImportUnreadable, match="No file was named"):
        portable.open_source(" ")


def test_a_file_without_rights_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FR-104. Refused by hand: whoever runs the tests as root may read everything."""

    def refuse(self: Path, *_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    place = tmp_path / "mine.txt"
    place.write_text("x")
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(ImportUnreadable, match="may not be read"):
        portable.open_source(place)


def test_a_device_and_a_name_with_a_zero_are_refused() -> None:
    with pytest.raises(ImportUnreadable, match="a device"):
        portable.open_source("/dev/zero")
    with pytest.raises(ImportUnreadable, match="not a path"):
        portable.open_source("a\0b")


def test_an_unknown_format_names_the_nearest(given: Given) -> None:
    """FR-104."""
    with pytest.raises(InvalidInput) as refused:
        given("x", format="chatgtp")
    assert "Did you mean chatgpt?" in refused.value.hint
    assert given("x", format="Meta AI").source.author == "meta-ai"


def test_every_name_that_is_offered_is_taken(given: Given) -> None:
    for name, title in portable.format_names():
        assert title
        try:
            given('{"text": "a"}\n{"text": "b"}\n', "l.ndjson", format=name)
        except LocalmemError as refused:
            assert refused.message


def test_a_source_that_is_stopped_reads_no_further(tmp_path: Path) -> None:
    place = tmp_path / "long.txt"
    place.write_text("a sentence of some length\n" * 50_000)
    with portable.open_source(place) as source:
        values = iter(source)
        next(values)
        source.halt()
        with pytest.raises(Cancelled):
            list(values)
        assert source.total is not None and source.read_bytes < source.total


def test_no_bytes_make_a_reader_crash(tmp_path: Path) -> None:
    """A property: whatever is done to a file, reading it gives values or one sentence."""
    chance = random.Random(11)
    start = [
        json.dumps(exports.CHATGPT).encode(), json.dumps(exports.CLAUDE).encode(),
        b"- a\n  - b\n# c\n```\nd\n", b'{"text": "a"}\n{"key": "k", "value": [1]}\n',
        exports.chatgpt_zip(tmp_path / "a.zip").read_bytes(),
        exports.claude_zip(tmp_path / "b.zip").read_bytes(), "Não é chá\n".encode("cp1252"),
    ]  # fmt: skip
    reached = {"read": 0, "refused": 0}
    for _ in range(400):
        data = bytearray(chance.choice(start))
        for _ in range(chance.randrange(1, 8)):
            at = chance.randrange(len(data))
            match chance.randrange(4):
                case 0:
                    data[at] = chance.randrange(256)
                case 1:
                    del data[at : at + chance.randrange(1, 40)]
                case 2:
                    data[at:at] = chance.choice(
                        [b"\0", b"\xff", b"[", b"{", b'"', b"\n", b"\xef\xbb\xbf"]
                    )
                case 3:
                    data = data[: max(at, 1)]
            if not data:
                data = bytearray(b"x")
        try:
            read_file(io.BytesIO(bytes(data)))
            reached["read"] += 1
        except ImportUnreadable as refused:
            assert refused.message.endswith(".")
            reached["refused"] += 1
    assert reached["read"] > 80 and reached["refused"] > 60
