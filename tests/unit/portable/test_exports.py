"""The exports of assistants: zip, folder or single file, and what is taken from them (FR-103)."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from localmem.errors import ImportUnreadable
from tests.support import exports
from tests.unit.portable.conftest import Given, read_file

REMEMBERED = [
    "Is a vegetarian.",
    "Wears shoe size 42.",
    "Prefers calls after 10 in the morning.",
]


def unpacked(archive: Path, folder: Path) -> Path:
    with zipfile.ZipFile(archive) as file:
        file.extractall(folder)
    return folder


def test_chatgpt_as_zip_folder_or_file_gives_the_same_memories(tmp_path: Path) -> None:
    """FR-103: each shows where it comes from, in whose words, and waits."""
    archive = exports.chatgpt_zip(tmp_path / "export.zip")
    folder = unpacked(archive, tmp_path / "export")
    for place in (archive, folder, folder / "conversations.json"):
        read = read_file(place)
        assert read.source.format == "chatgpt"
        assert read.texts == REMEMBERED
        assert {each.author for each in read.memories} == {"chatgpt"}
        assert read.memories[0].evidence.quote == "I don't eat meat"
        assert read.memories[0].evidence.source == "ChatGPT, Dinner plans · 2025-01-10"
        assert read.memories[0].written_at == 1_736_500_000_500


def test_the_answers_of_the_memory_tool_are_noise(given: Given) -> None:
    told = exports.conversation("t", exports.message("assistant", "Model set context updated.",
                                                     recipient="bio"))  # fmt: skip
    assert given([told], "conversations.json").values == []


def test_a_long_question_is_quoted_as_far_as_a_quote_goes(given: Given) -> None:
    talk = exports.conversation("t", *exports.remembering("word " * 400, "Talks a lot."))
    [memory] = given([talk], "conversations.json").memories
    assert memory.evidence.quote == ("word " * 400)[:500]


def test_the_list_chatgpt_was_shown_is_taken_once(given: Given) -> None:
    shown = exports.message("assistant", "")
    shown["content"] = {
        "content_type": "model_editable_context",
        "model_set_context": "1. [2025-05-02]. Likes tea.\n2. [2025-05-03]. Has a dog.",
    }
    talks = [exports.conversation(f"t{n}", shown) for n in range(3)]
    read = given(talks, "conversations.json")
    assert read.texts == ["Likes tea.", "Has a dog."]
    assert read.memories[0].written_at == 1_746_144_000_000


def test_conversations_in_parts_are_read_one_after_the_other(tmp_path: Path) -> None:
    parts = {f"conversations-00{n}.json": [talk] for n, talk in enumerate(exports.CHATGPT)}
    read = read_file(exports.zipped(tmp_path / "parts.zip", parts))
    assert read.texts == REMEMBERED
    assert [each.line for each in read.memories] == [1, 2, 3]


def test_a_broken_tree_never_loops(given: Given) -> None:
    talk = exports.conversation("t", *exports.remembering("said", "Kept."))
    for node in talk["mapping"].values():
        node["parent"] = "n2"
    assert given([talk], "conversations.json").texts == ["Kept."]


def test_claude_as_zip_and_folder_gives_memories_with_their_places(tmp_path: Path) -> None:
    archive = exports.claude_zip(tmp_path / "claude.zip")
    folder = unpacked(archive, tmp_path / "claude")
    for place in (archive, folder):
        read = read_file(place)
        assert read.texts == [
            "Ana leads a bakery.",
            "Prefers WhatsApp over email",
            "Has two cats",
            "The shop opens at seven.",
            "Likes dark bread",
        ]
        assert read.paths() == [
            "Work context",
            "Personal context",
            "Personal context",
            "projects/Bakery - shop",
            "preferences",
        ]
        assert {each.author for each in read.memories} == {"claude"}
        assert read.metadata(4) == {"category": "stated"}
    [alone] = [read_file(folder / "memories.json")]
    assert len(alone.texts) == 5


def test_a_claude_export_without_memories_says_how_to_copy_them(tmp_path: Path) -> None:
    """FR-104: what was looked at, and how to get the right thing."""
    talks = [{"uuid": "c", "name": "x", "chat_messages": [{"sender": "human", "text": "hi"}]}]
    archive = exports.zipped(
        tmp_path / "claude.zip", {"conversations.json": talks, "users.json": []}
    )
    with pytest.raises(ImportUnreadable) as refused:
        read_file(archive)
    assert "conversations.json" in refused.value.message
    assert "no memories" in refused.value.message
    assert "View and edit your memory" in refused.value.hint


def test_a_folder_of_notes_is_read_note_by_note(tmp_path: Path) -> None:
    for name, text in (("a/one.md", "- first\n"), ("b.md", "# Title\n- second\n"), ("c.md", "")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    read = read_file(tmp_path)
    assert read.texts == ["first", "second"]
    assert read.paths() == ["a", "Title"]
    numbers = [each.line for each in read.memories]
    assert numbers == sorted(numbers)


def test_a_folder_with_several_lists_asks_which(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("x\n")
    with pytest.raises(ImportUnreadable, match=r"several files.*a\.txt, b\.txt"):
        read_file(tmp_path)


def test_names_that_lead_out_of_a_zip_lead_nowhere(tmp_path: Path) -> None:
    """Nothing is unpacked, so nothing can be written anywhere."""
    archive = exports.zipped(
        tmp_path / "slip.zip",
        {"../../conversations.json": exports.CHATGPT, "/etc/evil.json": []},
    )
    before = sorted(tmp_path.rglob("*"))
    assert read_file(archive).texts == REMEMBERED
    assert sorted(tmp_path.rglob("*")) == before


def test_a_zip_that_swells_is_refused_before_it_does(tmp_path: Path) -> None:
    bomb = b"[" + b" " * 70_000_000 + b"]"
    archive = exports.zipped(tmp_path / "bomb.zip", {"conversations.json": bomb})
    with pytest.raises(ImportUnreadable, match="as a trap does"):
        read_file(archive)


def test_a_zip_with_a_password_says_so(tmp_path: Path) -> None:
    archive = exports.chatgpt_zip(tmp_path / "locked.zip")
    data = bytearray(archive.read_bytes())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = data.find(mark)
        while place >= 0:
            data[place + at] |= 1
            place = data.find(mark, place + 4)
    archive.write_bytes(data)
    with pytest.raises(ImportUnreadable, match="needs a password"):
        read_file(archive)


def test_a_zip_that_is_cut_off_or_damaged_says_so(tmp_path: Path) -> None:
    archive = exports.chatgpt_zip(tmp_path / "whole.zip")
    data = archive.read_bytes()
    archive.write_bytes(data[: len(data) // 2])
    with pytest.raises(ImportUnreadable, match="not whole"):
        read_file(archive)
    damaged = bytearray(data)
    at = data.find(b"conversations.json") + 40
    damaged[at : at + 60] = bytes(60)
    archive.write_bytes(damaged)
    with pytest.raises(ImportUnreadable):
        read_file(archive)


def test_a_word_document_and_an_export_in_parts_are_called_what_they_are(tmp_path: Path) -> None:
    with pytest.raises(ImportUnreadable, match="Word document"):
        read_file(exports.zipped(tmp_path / "x.docx", {"word/document.xml": "<x/>"}))
    parts = tmp_path / "parts"
    parts.mkdir()
    exports.zipped(parts / "memories-000.zip", {"memories/a.json": exports.CLAUDE[0]})
    with pytest.raises(ImportUnreadable, match=r"memories-000\.zip"):
        read_file(parts)
    assert len(read_file(parts / "memories-000.zip").texts) == 5


def test_an_export_from_a_pipe_is_read_as_well(tmp_path: Path) -> None:
    archive = exports.chatgpt_zip(tmp_path / "export.zip")
    with archive.open("rb") as pipe:
        read = read_file(pipe)
    assert read.texts == REMEMBERED
    assert (read.source.fingerprint, read.source.name) == ("", "standard input")


def test_the_same_file_has_the_same_fingerprint_and_another_has_not(tmp_path: Path) -> None:
    first = tmp_path / "a.txt"
    first.write_text("one\n")
    mark = read_file(first).source.fingerprint
    assert read_file(first).source.fingerprint == mark != ""
    first.write_text("two\n")
    assert read_file(first).source.fingerprint != mark


def test_progress_ends_at_the_total(tmp_path: Path) -> None:
    for place in (exports.chatgpt_zip(tmp_path / "g.zip"), exports.claude_zip(tmp_path / "c.zip")):
        source = read_file(place).source
        assert source.read_bytes == source.total
    plain = tmp_path / "plain.json"
    plain.write_text(json.dumps(["a", "b"]))
    source = read_file(plain).source
    assert source.read_bytes == source.total == len('["a", "b"]')
