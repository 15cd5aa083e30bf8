"""What a check of the library found, as rows and as a page. Pure: findings in, text out."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from localmem.core.health import Finding, Gravity
from localmem.core.visible import visible
from localmem.engine.health import Mend
from localmem.tui.present import ink
from localmem.tui.present.words import count

MARK = {Gravity.OK: ("✓ ok      ", ink.GOOD), Gravity.NOTE: ("• note    ", ink.ALERT),
        Gravity.PROBLEM: ("✗ problem ", ink.BAD)}  # fmt: skip


def row(finding: Finding, width: int) -> Content:
    """How bad it is, and its sentence on one line."""
    mark, style = MARK[finding.gravity]
    said = Content.styled(visible(finding.said), ink.STRONG if _bad(finding) else ink.PLAIN)
    line = Content.assemble((mark, style), said)
    return line.truncate(max(width, 1), ellipsis=True)


def page(finding: Finding, key: str) -> Content:
    """The whole finding: what it is about, the fix and how that is undone; `key` does it."""
    parts = [Content.styled(visible(finding.said), ink.STRONG)]
    parts += [Content(f"  – {visible(line)}") for line in finding.lines]
    if finding.gravity is not Gravity.OK and finding.fix:
        parts += [Content(""), Content.assemble(("fix   ", ink.NAME), visible(finding.fix))]
        if finding.undo:
            parts.append(Content.assemble(("undo  ", ink.NAME), visible(finding.undo)))
    if can_mend(finding):
        parts += [Content(""), Content.assemble((key, ink.NAME), " does it, after asking.")]
    return Content("\n").join(parts)


def question(finding: Finding) -> Content:
    """Asked before anything is done."""
    lines = [Content(visible(finding.said)), Content(""), Content(visible(finding.fix))]
    if finding.undo:
        lines.append(Content.styled(visible(finding.undo), ink.DIM))
    return Content("\n").join(lines)


def title(findings: Sequence[Finding]) -> str:
    bad = sum(map(_bad, findings))
    return count(bad, "problem") if bad else "nothing is wrong"


def can_mend(finding: Finding) -> bool:
    """Embedding what waits is left to the app, which does it by itself while it is open."""
    return finding.mends and finding.code != Mend.WAITING


def worst_first(findings: Sequence[Finding]) -> list[Finding]:
    order = list(Gravity)
    return sorted(findings, key=lambda each: -order.index(each.gravity))


def _bad(finding: Finding) -> bool:
    return finding.gravity is Gravity.PROBLEM
