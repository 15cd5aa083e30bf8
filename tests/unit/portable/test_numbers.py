"""JSON that is valid and that no reader can hold: numbers without end, first lines that are broken.

Each is named with its line or in a sentence, and what stands around it is read (FR-98, FR-99).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from localmem.errors import ImportUnreadable
from tests.unit.portable.conftest import read_file

ENDLESS = "1" + "0" * 5_000
DEEP = '{"text":"deep","more":' + "[" * 5_000 + "]" * 5_000 + "}"


def file(folder: Path, content: str) -> Path:
    path = folder / "memories.json"
    path.write_text(content, "utf-8")
    return path


@pytest.mark.parametrize("number", [ENDLESS, "1e999", "-1e999", "NaN", "Infinity", "1" + "0" * 400])
def test_a_date_that_is_no_moment_refuses_its_line_alone(tmp_path: Path, number: str) -> None:
    lines = f'{{"text":"a","createdAt":{number}}}\n{{"text":"b"}}\n'
    read = read_file(file(tmp_path, lines))
    assert read.texts == ["b"]
    assert [(line, why[:24]) for line, why in read.bad] == [(1, "createdAt is not a date:")]


def test_a_number_of_thousands_of_digits_beside_a_text_is_left_out_and_named(
    tmp_path: Path,
) -> None:
    for content in (
        f'{{"text":"a","n":{ENDLESS}}}\n{{"text":"b"}}\n',
        f'[{{"text":"a","n":{ENDLESS}}},{{"text":"b"}}]',
    ):
        read = read_file(file(tmp_path, content))
        assert read.texts == ["a", "b"]
        assert read.source.notes == ["Left out, being too large for metadata: n."]


@pytest.mark.parametrize("before", [0, 65_530, 130_000])
def test_in_a_document_it_is_a_sentence_and_no_crash(tmp_path: Path, before: int) -> None:
    """The C reader crashed on it and took the process along."""
    first = json.dumps("a" * before)
    content = f'{{"memories":[{{"text":{first}}},{{"text":"b","n":{ENDLESS}}}]}}'
    with pytest.raises(ImportUnreadable, match="number of thousands of digits"):
        read_file(file(tmp_path, content))


def test_an_exponent_beyond_every_number_is_named_and_what_stood_before_is_read(
    tmp_path: Path,
) -> None:
    content = '{"memories":[{"text":"a"},{"text":"b","n":1e99999999999999999999},{"text":"c"}]}'
    read = read_file(file(tmp_path, content))
    assert read.texts == ["a"]
    assert [line for line, _ in read.bad] == [2]


@pytest.mark.parametrize("first", [DEEP, '{"text":"cut', '{"text":}', f'{{"n":{ENDLESS}x}}'])
def test_a_first_line_that_is_broken_does_not_refuse_the_others(tmp_path: Path, first: str) -> None:
    read = read_file(file(tmp_path, f'{first}\n{{"text":"a"}}\n{{"text":"b"}}\n{{"text":"c'))
    assert read.texts == ["a", "b"]
    assert [line for line, _ in read.bad] == [1, 4]


def test_an_object_over_many_lines_is_still_one_document(tmp_path: Path) -> None:
    for content in (
        json.dumps({"memories": [{"text": "a"}, {"text": "b"}]}, indent=1),
        '{"memories": [\n{"text":"a"},\n{"text":"b"}\n]}',
    ):
        assert read_file(file(tmp_path, content)).texts == ["a", "b"]
