"""Editing: nothing typed is lost, nothing is overwritten unseen, limits are shown as typed."""

from __future__ import annotations

from localmem.core.model import Evidence, FactContent, Provenance
from localmem.core.scope import contact
from localmem.engine import Engine
from localmem.tui.screens.ask import AskScreen
from localmem.tui.screens.edit_document import DocumentForm
from localmem.tui.screens.edit_fact import FactForm
from localmem.tui.screens.edit_preference import PreferenceForm
from localmem.tui.screens.sides import SidesScreen
from localmem.tui.widgets.area import Area
from localmem.tui.widgets.fields import Field
from tests.support.library import AGENT, PERSON
from tests.tui.conftest import Fill, Open, Running


def one_fact(engine: Engine) -> None:
    engine.facts.add("Prefers email.", scope=contact("ana"))


def area(running: Running, id: str = "text") -> Area:
    return running.app.screen.query_one(f"#{id}", Area)


async def test_a_fact_is_edited_and_saved_as_a_new_version(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await running.press("e")
        assert isinstance(running.app.screen, FactForm)
        assert "14 / 8,192 bytes" in running.text
        area(running).typed = "Prefers WhatsApp."
        await running.press("ctrl+s")
        assert running.at_library
        item = running.library.item
        assert item is not None and item.head.number == 2
        assert item.head.content == FactContent("Prefers WhatsApp.")
        assert "Saved." in running.toasts()


async def test_a_new_fact_takes_the_scope_of_the_place_and_the_cursor_goes_to_it(
    open_app: Open,
) -> None:
    async with open_app(one_fact) as running:
        await running.press("left", "down", "down", "down", "n", "enter")
        form = running.app.screen
        assert isinstance(form, FactForm)
        assert form.query_one("#scope", Field).value == "contact:ana"
        await running.type("Has a dog.")
        form.query_one("#ttl", Field).value = "30d"
        form.query_one("#metadata", Area).text = "source = phone\nweight = 3=4"
        await running.press("ctrl+s")
        item = running.library.item
        assert item is not None and item.scope == contact("ana")
        assert isinstance(item.head.content, FactContent)
        assert dict(item.head.content.metadata) == {"source": "phone", "weight": "3=4"}
        assert item.head.expires_at == running.clock.now + 30 * 86_400_000


async def test_escape_keeps_the_draft_and_the_same_key_brings_it_back(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await running.press("e")
        area(running).typed = "Half a thou"
        await running.press("escape")
        assert running.at_library
        assert any("draft is kept" in toast for toast in running.toasts())
        await running.press("e")
        assert area(running).typed == "Half a thou"
        assert "Your draft of" in running.text
        await running.press("ctrl+r")
        assert area(running).typed == "Prefers email."
        await running.press("ctrl+z")
        assert area(running).typed == "Half a thou"
        area(running).typed = "Prefers email."
        await running.press("escape")
        await running.press("e")
        assert "Your draft of" not in running.text


async def test_quitting_with_an_open_form_keeps_the_draft(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await running.press("e")
        area(running).typed = "Not yet saved"
        await running.press("ctrl+q")
    async with open_app() as running:
        await running.press("e")
        assert area(running).typed == "Not yet saved"


async def test_saving_drops_the_draft(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await running.press("e")
        area(running).typed = "Draft"
        await running.press("escape")
        await running.press("e")
        await running.press("ctrl+s")
        await running.press("e")
        assert area(running).typed == "Draft"
        assert "Your draft" not in running.text


async def test_what_cannot_be_saved_is_said_while_typing_and_the_form_stays(
    open_app: Open,
) -> None:
    async with open_app(one_fact) as running:
        await running.press("e")
        area(running).typed = "x" * 8_193
        await running.settle()
        assert "8,193 / 8,192 bytes" in running.text
        await running.press("ctrl+s")
        assert isinstance(running.app.screen, FactForm)
        area(running).typed = "ok"
        running.app.screen.query_one("#ttl", Field).value = "3 moons"
        await running.press("ctrl+s")
        assert "'3 moons' is not a time to live." in running.text
        assert running.app.screen.focused is not None and running.app.screen.focused.id == "ttl"


async def test_a_secret_is_asked_about_and_kept_only_knowingly(open_app: Open) -> None:
    secret = "The key is sk_live_4eC39HqLyjWDarjtT1zdp7dc for the shop."
    async with open_app(one_fact) as running:
        await running.press("e")
        area(running).typed = secret
        await running.press("ctrl+s")
        assert isinstance(running.app.screen, AskScreen)
        assert "looks like a secret" in running.text
        await running.press("enter")
        assert isinstance(running.app.screen, FactForm) and area(running).typed == secret
        await running.press("ctrl+s", "tab", "enter")
        item = running.library.item
        assert item is not None and item.head.content == FactContent(secret)


async def test_the_same_words_again_jump_to_the_known_fact(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await running.press("n", "enter")
        running.app.screen.query_one("#scope", Field).value = "contact:ana"
        await running.type("prefers  EMAIL.")
        await running.press("ctrl+s")
        assert any("Already known" in toast for toast in running.toasts())
        item = running.library.item
        assert item is not None and item.head.content == FactContent("Prefers email.")
        assert running.library.list_pane.count == 1


async def stale(running: Running, mine: str, theirs: str) -> None:
    """Edit the first row while an agent edits it too."""
    await running.press("e")
    item = running.library.item
    assert item is not None
    other = running.other()
    other.facts.edit(item.id, text=theirs)
    other.close()
    area(running).typed = mine
    await running.press("ctrl+s")
    assert isinstance(running.app.screen, SidesScreen)


async def test_a_late_save_shows_base_mine_and_theirs(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await stale(running, "Prefers WhatsApp.", "Prefers a letter.")
        for text in ("Prefers email.", "Prefers WhatsApp.", "Prefers a letter.", "shop-agent"):
            assert text in running.text
        assert "Changed on both sides: text" in running.text


async def test_keep_mine_writes_over_theirs_which_stays_in_the_history(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await stale(running, "Prefers WhatsApp.", "Prefers a letter.")
        await running.press("m")
        item = running.library.item
        assert item is not None and item.head.content == FactContent("Prefers WhatsApp.")
        history = await running.ask(lambda engine: engine.library.history(item.id))
        assert [version.content.text for version in history] == [
            "Prefers email.", "Prefers a letter.", "Prefers WhatsApp.",
        ]  # fmt: skip


async def test_keep_theirs_writes_nothing(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await stale(running, "Prefers WhatsApp.", "Prefers a letter.")
        await running.press("t")
        item = running.library.item
        assert item is not None and item.head.number == 2
        assert item.head.content == FactContent("Prefers a letter.")


async def test_keep_both_makes_mine_a_fact_of_its_own(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await stale(running, "Prefers WhatsApp.", "Prefers a letter.")
        await running.press("b")
        assert running.library.list_pane.count == 2
        assert "Prefers WhatsApp." in running.text and "Prefers a letter." in running.text


async def test_later_keeps_the_draft_on_its_old_version_so_it_is_late_again(
    open_app: Open,
) -> None:
    async with open_app(one_fact) as running:
        await stale(running, "Prefers WhatsApp.", "Prefers a letter.")
        await running.press("l")
        assert running.at_library
        await running.press("e")
        assert area(running).typed == "Prefers WhatsApp."
        await running.press("ctrl+s")
        assert isinstance(running.app.screen, SidesScreen)


async def test_the_merged_version_is_edited_and_saved_on_theirs(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await stale(running, "Prefers WhatsApp.", "Prefers a letter.")
        await running.press("e")
        assert isinstance(running.app.screen, FactForm)
        area(running).typed = "Prefers WhatsApp, then a letter."
        await running.press("ctrl+s")
        item = running.library.item
        assert item is not None and item.head.number == 3


async def test_changes_that_fit_together_are_offered_merged(open_app: Open) -> None:
    def brands(engine: Engine) -> None:
        engine.preferences.remember("preferred_brands", ["Asics"])

    async with open_app(brands) as running:
        await running.press("e")
        assert isinstance(running.app.screen, PreferenceForm)
        other = running.other(PERSON)
        other.preferences.correct("preferred_brands", ["Asics", "Mizuno"])
        other.close()
        area(running, "value").typed = "Asics\nPatagonia"
        await running.press("ctrl+s")
        assert "Both changes fit together" in running.text
        await running.press("a")
        held = await running.ask(lambda engine: engine.preferences.entry("preferred_brands"))
        assert held.declared.head.content.value == ("Asics", "Patagonia", "Mizuno")


async def test_a_preference_is_declared_by_the_rules_of_the_engine(open_app: Open) -> None:
    async with open_app() as running:
        await running.press("left", "down", "right", "enter")
        form = running.app.screen
        assert isinstance(form, PreferenceForm)
        await running.type("99")
        assert "'99' is not a shoe size." in running.text
        await running.press("ctrl+s")
        assert isinstance(running.app.screen, PreferenceForm)
        form.query_one("#value", Field).value = "42,5"
        await running.settle()
        assert "kept as 42.5" in running.text
        await running.press("ctrl+s")
        held = await running.ask(lambda engine: engine.preferences.entry("shoe_size"))
        assert held.declared.head.content.value == "42.5"


async def test_correcting_an_inferred_value_declares_beside_it(open_app: Open) -> None:
    def inferred(engine: Engine) -> None:
        engine.acting(AGENT).preferences.remember(
            "preferred_merchants", ["Cobasi"], provenance=Provenance.INFERRED,
            evidence=Evidence(purchase_id="pur_1"),
        )  # fmt: skip

    async with open_app(inferred) as running:
        await running.press("e")
        assert "Inferred from purchases: Cobasi" in running.text
        area(running, "value").typed = "Petz"
        await running.press("ctrl+s")
        held = await running.ask(lambda engine: engine.preferences.entry("preferred_merchants"))
        assert held.declared.head.content.value == ("Petz",)
        assert held.inferred.head.content.value == ("Cobasi",)


async def test_a_document_names_the_line_and_column_of_a_mistake(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        running.library.visit(
            next(
                each for each in running.library.tree_pane._held.values() if each.label == "orders"
            )
        )
        await running.settle()
        await running.press("e")
        assert isinstance(running.app.screen, DocumentForm)
        area(running, "value").typed = '{\n  "a": nope\n}'
        await running.settle()
        assert "Line 2, column 8" in running.text
        await running.press("ctrl+s")
        assert isinstance(running.app.screen, DocumentForm)
        assert area(running, "value").cursor_location == (1, 7)
        area(running, "value").typed = '{"a": 1}'
        await running.press("ctrl+s")
        item = running.library.item
        assert item is not None and item.head.content.value == {"a": 1}  # type: ignore[union-attr]


async def test_a_new_document_at_a_taken_key_is_never_written_over(
    open_app: Open, demo_library: Fill
) -> None:
    async with open_app(demo_library) as running:
        await running.press("n", "down", "down", "enter")
        form = running.app.screen
        assert isinstance(form, DocumentForm)
        form.query_one("#collection", Field).value = "orders"
        form.query_one("#key", Field).value = "ORD-1042"
        area(running, "value").typed = "{}"
        await running.press("ctrl+s")
        assert isinstance(running.app.screen, SidesScreen)


async def test_every_field_can_be_left_with_tab_alone(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await running.press("n", "enter")
        seen = set()
        for _ in range(6):
            await running.press("tab")
            assert running.app.screen.focused is not None
            seen.add(running.app.screen.focused.id)
        assert seen == {"text", "scope", "ttl", "path", "metadata"}


async def test_a_scope_is_chosen_from_those_there_are(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await running.press("n", "enter", "tab", "ctrl+t")
        assert "Where does it belong?" in running.text
        await running.press("down", "enter")
        assert running.app.screen.query_one("#scope", Field).value == "contact:ana"


async def test_ctrl_o_takes_back_what_the_editor_wrote(open_app: Open, monkeypatch: object) -> None:
    from localmem.tui import external

    async with open_app(one_fact) as running:
        await running.press("e")
        monkeypatch.setattr(  # type: ignore[attr-defined]
            external, "edit", lambda app, editor, text, suffix: f"{text} From the editor."
        )
        await running.press("ctrl+o")
        assert area(running).typed == "Prefers email. From the editor."


async def test_names_are_parted_by_commas_and_line_breaks_alike(open_app: Open) -> None:
    async with open_app() as running:
        await running.press("left", "down", "right", "down", "down", "enter")
        assert isinstance(running.app.screen, PreferenceForm)
        await running.type("Marca X, Nike")
        assert "2 / 10 names" in running.text
        await running.press("ctrl+s")
        held = await running.ask(lambda engine: engine.preferences.entry("preferred_brands"))
        assert held.declared.head.content.value == ("Marca X", "Nike")


async def test_a_name_that_was_kept_with_a_comma_stays_one_name(open_app: Open) -> None:
    def brands(engine: Engine) -> None:
        engine.preferences.remember("preferred_brands", ["Ben, Jerry & Co"])

    async with open_app(brands) as running:
        await running.press("e")
        area(running, "value").typed += "\nNike"
        await running.press("ctrl+s")
        held = await running.ask(lambda engine: engine.preferences.entry("preferred_brands"))
        assert held.declared.head.content.value == ("Ben, Jerry & Co", "Nike")


async def test_an_untouched_form_says_what_a_field_holds_and_no_error(open_app: Open) -> None:
    async with open_app() as running:
        await running.press("left", "down", "right", "enter")
        assert "Give one European or Brazilian size" in running.text
        assert "is not a shoe size" not in running.text
        await running.type("9")
        assert "'9' is not a shoe size." in running.text
        await running.press("backspace")
        assert "'' is not a shoe size." in running.text


async def test_saving_an_empty_form_says_what_is_missing(open_app: Open) -> None:
    async with open_app() as running:
        await running.press("left", "down", "right", "enter", "ctrl+s")
        assert "'' is not a shoe size." in running.text


async def test_a_new_document_asks_for_its_names_only_where_the_person_has_been(
    open_app: Open,
) -> None:
    async with open_app() as running:
        await running.press("n", "down", "down", "enter")
        assert isinstance(running.app.screen, DocumentForm)
        assert "is not a collection name" not in running.text
        assert "Names are 1 to 63 lowercase letters" in running.text
        running.app.screen.query_one("#collection", Field).value = "Bad Name"
        await running.settle()
        assert "'Bad Name' is not a collection name." in running.text
        running.app.screen.query_one("#collection", Field).value = "orders"
        await running.settle()
        assert "is not a key" not in running.text
        assert "Keys are 1 to 255 characters" in running.text


async def test_a_new_document_begins_where_something_is_missing(open_app: Open) -> None:
    async with open_app() as running:
        await running.press("n", "down", "down", "enter")
        focused = running.app.screen.focused
        assert focused is not None and focused.id == "collection"
        body = area(running, "value")
        body.focus()
        await running.settle()
        assert body.cursor_location == (1, 2)


async def test_choosing_a_collection_when_there_is_none_says_so(open_app: Open) -> None:
    async with open_app() as running:
        await running.press("n", "down", "down", "enter", "ctrl+t")
        assert isinstance(running.app.screen, DocumentForm)
        assert any(
            "There are no collections yet: type a name to create one." in toast
            for toast in running.toasts()
        )


async def test_a_draft_that_comes_late_says_so_when_it_comes_back(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await running.press("e")
        area(running).typed = "Half a thou"
        await running.press("escape")
        item = running.library.item
        assert item is not None
        other = running.other()
        other.facts.edit(item.id, text="Prefers a letter.")
        other.close()
        await running.press("e")
        assert "Your draft of" in running.text
        assert "changed since by shop-agent" in running.text
        assert "saving shows both" in running.text
        await running.press("ctrl+s")
        assert isinstance(running.app.screen, SidesScreen)
