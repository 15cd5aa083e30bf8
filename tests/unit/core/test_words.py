"""Words: every script is found, FTS5 and our own folding agree, and text is never syntax."""

from __future__ import annotations

import sys
import unicodedata
from collections import Counter
from collections.abc import Sequence

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localmem.core import words
from tests.support.vocabulary import vocabulary


class Index:
    """The word index as the store makes it."""

    def __init__(self, *texts: str) -> None:
        self._db = apsw.Connection(":memory:")
        self._db.execute(
            "CREATE VIRTUAL TABLE words USING fts5"
            "(body, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')"
        )
        self._db.execute("CREATE VIRTUAL TABLE seen USING fts5vocab (words, 'instance')")
        self.fill(*texts)

    def fill(self, *texts: str) -> None:
        self._db.execute("DELETE FROM words")
        for row, text in enumerate(texts):
            self.keep(row, words.index_text(text))

    def keep(self, row: int, body: str) -> None:
        self._db.execute("INSERT INTO words (rowid, body) VALUES (?, ?)", (row, body))

    def match(self, expression: str | None) -> set[int]:
        if expression is None:
            return set()
        found = self._db.execute("SELECT rowid FROM words WHERE words MATCH ?", (expression,))
        return {int(str(row)) for (row,) in found}

    def tokens(self) -> list[str]:
        sql = 'SELECT term FROM seen ORDER BY doc, "offset"'
        return [str(term) for (term,) in self._db.execute(sql)]


def finds(text: str, question: str) -> bool:
    return Index(text).match(words.match_expression(question)) == {0}


@pytest.mark.parametrize("question", ["无糖", "豆浆", "豆", "无糖豆浆", "今天我只喝无糖豆浆"])
def test_any_part_of_a_chinese_sentence_is_found(question: str) -> None:
    text = "今天我只喝无糖豆浆"
    assert finds(text, question)
    assert set(words.terms(question)) <= vocabulary(text)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("辛い物は苦手", "辛い"),
        ("매운 음식을 싫어함", "음식"),
        ("매운 음식을 싫어함", "음"),
        ("ガラスの仮面", "ｶﾞﾗｽ"),
        ("กินข้าวที่บ้าน", "ข้าว"),
        ("iPhone手机在家", "手机"),
        ("iPhone手机在家", "iphone"),
        ("नमस्ते दुनिया", "दुनिया"),
        ("שָׁלוֹם לכולם", "שלום"),
        ("Живёт в Йошкар-Оле", "живет йошкар"),
        ("Ψωνίζει στην Αθήνα", "αθηνα"),
        ("Flat is in Łódź, near Straße 7", "lodz STRASSE"),
        ("İstanbul'da yaşıyor", "istanbul"),
        ("café ＡＢＣ ﬁne", "cafe\u0301 ABC fine"),
        ("Wears size ٤٢", "42"),
        ("Loves 🍕 on Fridays", "🍕"),
        ("Thumbs 👍🏽 up", "👍"),
        ("co\u00adopera\u200dtion", "cooperation"),
    ],
)
def test_a_word_is_found_in_whatever_script_form_or_case_it_is_asked_for(
    text: str, question: str
) -> None:
    asked = words.match_expression(question)
    assert asked is not None
    assert Index(text).match(asked) == {0}
    assert set(words.terms(question)).issubset(vocabulary(text)) or all(
        words.meets(term, vocabulary(text)) for term in words.terms(question)
    )


@pytest.mark.parametrize(
    ("text", "question"),
    [("が好き", "か好"), ("नदी", "नदा"), ("豆浆", "浆豆"), ("豆 浆", "糖")],
)
def test_another_letter_is_another_word(text: str, question: str) -> None:
    assert not any(words.meets(term, vocabulary(text)) for term in words.terms(question))


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Does not, and don't ask", "don't"),
        ("Wants a pre-edit call", "pre-edit"),
        ("The link is 4 GB/s", "GB/s"),
        ("Runs node:16", "node:16"),
        ('Says a"b', 'a"b'),
        ("salt AND pepper", "AND"),
        ("is NEAR(the shop)", "NEAR("),
        ("Still on v2.1", "v2.1"),
        ("Router is 192.168.1.254", "192.168.1.254"),
        ("VAT PT509000000", "PT509000000"),
        ("a*b^c:d{e}+f", "{e}+f"),
    ],
)
def test_awkward_text_is_looked_for_as_it_stands(text: str, question: str) -> None:
    assert finds(text, question)


@pytest.mark.parametrize(
    "question", ["", " ", "*", "(", '"', "\x00", "-", "!!!", "\u200b", "\ud800"]
)
def test_a_question_without_words_has_no_expression(question: str) -> None:
    assert words.match_expression(question) is None
    assert words.match_expression(question, [question], ["x"]) is None
    assert words.terms(question) == ()


def test_ten_thousand_characters_are_looked_up_in_bounded_time_and_depth() -> None:
    index = Index("needle", "hay")
    many = " ".join(f"w{n}x" for n in range(2_000))
    assert len(words.terms(many)) == words.MAX_TERMS
    assert index.match(words.match_expression(f"needle {many}")) == {0}
    assert index.match(words.match_expression("needle", [many])) == set()
    assert index.match(words.match_expression("hay", (), [many])) == {1}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how do they like to be contacted?", ("like", "conta")),
        ("como ela gosta de ser contatada?", ("gosta", "conta")),
        ("¿dónde compra los zapatos?", ("compr", "zapat")),
        ("VAT is PT509000000?", ("vat", "pt509000000")),
        ("dogs or cats?", ("dog", "cat")),
        ("无糖豆浆", ("无糖", "糖豆", "豆浆")),
        ("豆", ("豆",)),
        ("who is it?", ()),
        ("the who?", ("the", "who")),
        ("email Email EMAIL e-mail?", ("email", "mail")),
    ],
)
def test_terms_are_the_telling_words_cut_short(question: str, expected: tuple[str, ...]) -> None:
    assert words.terms(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("what's the password for the Netflix account?", {"netflix"}),
        ("What did Ana's sister buy in New York?", {"ana", "new", "york"}),
        ("quem é o médico da Inês?", {"ines"}),
        ("when did I say that I'm late?", set()),
        ("Netflix password", set()),  # a first word has a capital anyway
        ("What Is Her Shoe Size", set()),
        ("WHO IS THE LANDLORD OF ANA", set()),
        ("wie groß ist das Fahrrad von Ana?", set()),
        ("怎么联系他比较好？", set()),
        ("", set()),
    ],
)
def test_a_capital_within_a_question_tells_a_name(question: str, expected: set[str]) -> None:
    assert words.names(question) == expected


def test_terms_among_some_words_are_those_terms_of_the_question() -> None:
    question = "which pills does Melanie take in Porto"
    assert words.terms(question, {"melanie", "porto"}) == ("melan", "porto")
    assert words.terms("when did Mel", {"mel"}) == ("mel*",)
    assert words.terms("when did Mel", {"when"}) == ()
    assert set(words.terms(question, words.names(question))) <= set(words.terms(question))


def test_telling_words_are_whole_and_none_of_a_script_without_spaces() -> None:
    found = words.telling("which pills does Melanie take? 薬は", {"take"})
    assert found == {"pills", "melanie"}


def test_a_word_that_is_still_being_typed_finds_what_starts_so() -> None:
    index = Index("Prefers WhatsApp", "what a day", "PT509000000")
    for typed in ("w", "wh", "wha", "what", "whats", "WhatsAp"):
        terms = words.terms(typed)
        assert 0 in index.match(words.match_expression(typed)), typed
        assert all(words.meets(term, vocabulary("Prefers WhatsApp")) for term in terms)
    assert index.match(words.match_expression("PT509")) == {2}
    assert index.match(words.match_expression("wha?")) == set()
    assert words.terms("how do they like to b") == ("like", "b")


def test_numbers_are_never_cut_so_that_no_other_number_answers() -> None:
    assert not finds("VAT PT509000000", "PT509111111?")
    assert not finds("size 44", "42")


def test_phrases_are_required_and_unwanted_words_shut_out() -> None:
    index = Index("dinner over email", "over the email", "dinner over email with Ana", "dinner")
    assert index.match(words.match_expression("dinner", ["over email"])) == {0, 2}
    assert index.match(words.match_expression("", ["Over  Émail"])) == {0, 2}
    assert index.match(words.match_expression("lunch", ["over email"])) == {0, 2}
    assert index.match(words.match_expression("dinner", (), ["ana"])) == {0, 3}
    assert index.match(words.match_expression("dinner", ["over email"], ["ana", "x"])) == {0}
    assert words.match_expression("", (), ["ana"]) is None


@pytest.mark.parametrize(
    ("question", "text", "marked"),
    [
        ("whatsapp?", "Prefers WhatsApp over email.", ["WhatsApp"]),
        ("allergies?", "Allergic to kiwi; ALLERGY card", ["Allergic", "ALLERGY"]),
        ("cafe?", "o café\u0301 é bom", ["café\u0301"]),
        ("无糖豆浆", "今天我只喝无糖豆浆", ["无糖豆浆"]),
        ("豆", "豆浆和豆", ["豆", "豆"]),
        ("음식", "매운 음식을", ["음식"]),
        ("🍕", "a 🍕🍕 b", ["🍕🍕"]),
        ("ガ", "ｶﾞラス", ["ｶﾞ"]),
        ("strasse?", "In der Straße 7", ["Straße"]),
        ("wha", "What WhatsApp", ["What", "WhatsApp"]),
        ("is it so?", "is it so", []),
        ("half 1?", "7½ l", ["½"]),
    ],
)
def test_the_words_that_matched_are_marked_where_they_stand(
    question: str, text: str, marked: list[str]
) -> None:
    assert [text[a:b] for a, b in words.matched(words.terms(question), text)] == marked


def test_fts5_keeps_every_letter_of_every_script_as_it_is_given() -> None:
    """What Python calls a letter or number must be one to FTS5's older tables too, or the word
    around it would fall apart there and nowhere else."""
    lost = []
    for start in range(0, sys.maxunicode, 4096):
        letters = [
            chr(code)
            for code in range(start, min(start + 4096, sys.maxunicode + 1))
            if unicodedata.category(chr(code))[0] in "LMN"
        ]
        # Every letter between two others: split anywhere, the word would be in pieces.
        given = [word for letter in letters for word in words.index_text(f"q{letter}q").split()]
        index = Index()
        index.keep(0, " ".join(given))
        lost += sorted(set(given) - set(index.tokens()))
    assert lost == []


def test_folding_twice_changes_nothing_and_stop_words_are_folded() -> None:
    for text in ("Ça İstanbul ǅ ﬃ ½ ⅷ ㎏ が ١٢", "Ὀδυσσεύς ẞ ŉ ĳ", "🍕 👨\u200d👩\u200d👧"):
        once = words.index_text(text)
        assert words.index_text(once).replace(" ", "") == once.replace(" ", "")
    assert all(words.fold(word) == word for word in words._STOP_WORDS)


TEXTS = st.lists(
    st.one_of(
        st.sampled_from(
            ["don't", "café", "dogs", "dog", "WhatsApp", "豆浆", "が", "음식을", "PT509", "the",
             "🍕", "नमस्ते", "NEAR(", 'a"b', "*", " ", "\x00", "ﬁ", "Straße", "v2.1", "ก่อน"]
        ),
        st.text(max_size=6),
    ),
    max_size=6,
).map(" ".join)  # fmt: skip


def test_no_text_is_ever_a_syntax_error_and_a_match_is_what_the_terms_say() -> None:
    reached: Counter[object] = Counter()
    index = Index()

    @settings(derandomize=True, deadline=None, max_examples=400)
    @given(TEXTS, TEXTS, st.lists(TEXTS, max_size=2), st.lists(TEXTS, max_size=2))
    def check(stored: str, question: str, phrases: Sequence[str], without: Sequence[str]) -> None:
        index.fill(stored)
        assert index.tokens() == words.index_text(stored).split()
        expression = words.match_expression(question, phrases, without)
        found = index.match(expression)
        telling = [phrase for phrase in phrases if words.index_text(phrase)]
        if expression is not None and telling:
            obeys = all(words.holds(stored, phrase) for phrase in telling)
            obeys &= not any(words.holds(stored, phrase) for phrase in without)
            assert found == ({0} if obeys else set())
            reached["phrases", bool(found)] += 1
        held = vocabulary(stored)
        for term in words.terms(question):
            by_index = index.match(words.term_expression(term)) == {0}
            by_score = words.meets(term, held)
            # A pair across two words is a phrase to FTS5 and no word of ours; else they agree.
            assert by_index or not by_score
            if words._IS_SINGLE.match(term):
                reached["single", by_score] += 1
            else:
                assert by_index == by_score, (term, held)
                reached["word", by_score] += 1
        reached["nothing to find"] += expression is None

    check()
    wanted = [(kind, met) for kind in ("phrases", "single", "word") for met in (True, False)]
    assert [case for case in [*wanted, "nothing to find"] if not reached[case]] == []


def test_marks_lie_within_the_text_apart_and_in_order() -> None:
    reached: Counter[str] = Counter()

    @settings(derandomize=True, deadline=None, max_examples=300)
    @given(TEXTS, TEXTS)
    def check(question: str, text: str) -> None:
        terms = words.terms(question)
        spans = words.matched(terms, text)
        edges = [edge for span in spans for edge in span]
        assert edges == sorted(set(edges))
        assert all(0 <= edge <= len(text) for edge in edges)
        if spans:
            assert any(words.meets(term, vocabulary(text)) for term in terms)
        reached["marked" if spans else "unmarked"] += 1

    check()
    assert reached["marked"] and reached["unmarked"]
