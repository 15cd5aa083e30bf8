"""Forgetting in words: what goes, before; what went and what was looked at, after."""

from __future__ import annotations

from textual.content import Content

from localmem.core import preferences
from localmem.core.visible import visible
from localmem.engine.outcomes import ForgetPlan, Receipt
from localmem.tui.present import ink
from localmem.tui.present.words import address, count, told

MOST_ITEMS = 8


def plan_lines(plan: ForgetPlan, *, travels: bool) -> Content:
    """Exactly what a forget would take; `travels` where somebody is signed in."""
    lines = [
        Content.assemble(
            "This erases ",
            (count(len(plan.items), "memory", "memories"), ink.STRONG),
            " with ",
            (count(plan.versions, "version"), ink.STRONG),
            ", for good:",
        ),
        Content(""),
    ]
    for item in plan.items[:MOST_ITEMS]:
        lines.append(told(item))
        lines.append(Content.styled(f"  {item.kind} · {address(item)}", ink.DIM))
    if len(plan.items) > MOST_ITEMS:
        lines.append(Content.styled(f"… and {len(plan.items) - MOST_ITEMS:,} more", ink.DIM))
    for key in plan.blocks_inference_of:
        lines += [
            Content(""),
            Content.assemble(
                ("⚠ ", ink.ALERT),
                f"{preferences.label(key)} goes whole, declared and inferred, and is not inferred "
                "again until you say it yourself.",
            ),
        ]
    there = "The server and your other devices follow with their next runs. " if travels else ""
    lines += [Content(""), Content("The words, the vectors and the bytes in the file go too. "
                                   f"{there}This cannot be undone.")]  # fmt: skip
    return Content("\n").join(lines)


def working_lines() -> Content:
    return Content.assemble(
        ("◐ Erasing, and rewriting the library's files without it…\n\n", ink.ALERT),
        ("You can go on (esc); the receipt follows.", ink.DIM),
    )


def receipt_lines(receipt: Receipt, *, travels: bool) -> Content:
    """What was erased, what was searched, what nobody here can reach."""
    erased = receipt.erased
    lines = [
        Content.assemble(
            ("✓ ", ink.GOOD),
            (f"Erased {count(erased.items, 'memory', 'memories')}", ink.STRONG),
            f": {count(erased.versions, 'version')}, {count(erased.vectors, 'vector')}, "
            f"{count(erased.copies, 'copy', 'copies')}.",
        ),
        Content(""),
        _bytes_line(receipt),
        *(
            [Content("The server is told with the next run, and your other devices with theirs.")]
            if travels
            else []
        ),
        Content(""),
        Content.styled("Looked through", ink.NAME),
        *(Content(f"  ✓ {place}") for place in receipt.checked),
    ]
    if receipt.files:
        lines += [Content.styled("Files rewritten", ink.NAME),
                  *(Content(f"  ✓ {visible(file)}") for file in receipt.files)]  # fmt: skip
    lines += [Content.styled("Out of reach", ink.NAME),
              *(Content(f"  – {place}") for place in receipt.out_of_reach)]  # fmt: skip
    return Content("\n").join(lines)


def _bytes_line(receipt: Receipt) -> Content:
    if not receipt.complete:
        why = visible(receipt.why) or "another program keeps old pages open"
        return Content.assemble(
            ("◐ ", ink.ALERT),
            f"The rows are gone, the bytes not yet out of the files: {why}. "
            "This is tried again by itself.",
        )
    texts = count(receipt.searched_for, "text")
    if receipt.found:
        return Content.assemble(
            ("⚠ ", ink.ALERT),
            f"Searched the files for {texts}: found {receipt.found:,} times, "
            "because other memories hold the same words.",
        )
    if not receipt.searched_for:
        return Content.styled("Its texts are too short to be searched for in the files.", ink.DIM)
    return Content.assemble(("✓ ", ink.GOOD), f"Searched the files for {texts}: found nothing.")
