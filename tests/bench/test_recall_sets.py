"""Measuring recall: sets are what they say, figures are counted right, curves are a picture."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from localmem.core import words

BENCH = Path(__file__).parents[2] / "bench"


def loaded(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"bench_{name}", BENCH / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


recall, curves = loaded("recall"), loaded("curves")
SETS = list(recall.read(BENCH / "sets"))


@pytest.mark.parametrize("held", SETS, ids=lambda held: held.name)
def test_a_set_shares_words_with_its_facts_or_shares_none(held: recall.Set) -> None:  # type: ignore[name-defined]
    assert held.questions
    for question in held.questions:
        asked = set(words.terms(question.text + "."))
        found = any(asked & words.vocabulary(text) for text in question.relevant)
        assert found == held.name.endswith("words"), question.text
        assert question.relevant <= set(held.texts)
    if held.name.endswith("meaning"):
        assert len(held.unanswerable) >= 36


def test_figures_are_shares_of_what_was_asked() -> None:
    asked = [recall.Asked((0, 7), 0.5), recall.Asked((999,), 0.1)]
    nothing = [recall.Asked((), 0.31), recall.Asked((), 0.29)]
    found = recall.figures(asked, nothing)
    assert found.recall == {1: 0.25, 5: 0.25, 10: 0.5}
    assert found.reciprocal_rank == pytest.approx((1 + 1 / 1000) / 2)
    assert found.kept[0.30] == 0.5
    assert found.kept[0.60] == 0
    assert found.false[0.30] == 0.5
    assert recall.figures(asked, []).false is None


def test_the_curves_are_a_picture_with_every_line_and_its_name() -> None:
    lines = [
        curves.Line("kept <&>", [(0.0, 1.0), (1.0, 0.0)], 0),
        curves.Line("false", [(0.0, 1.0), (0.3, 0.1)], 1, dashed=True),
    ]
    root = ElementTree.fromstring(curves.drawn("A & B", "floor", lines, [0.3]))
    space = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{space}polyline")) == 2
    names = [text.text for text in root.findall(f"{space}text")]
    assert "kept <&>" in names
    assert "false" in names
    assert root.findtext(f"{space}title") == "A & B"


@pytest.mark.parametrize("colour", curves.COLOURS)
def test_every_colour_can_be_seen_on_a_light_and_a_dark_page(colour: str) -> None:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    assert 1.05 / (light + 0.05) >= 3
    assert (light + 0.05) / 0.05 >= 3
