"""Values to lines: pure functions whose only output is `Content` made of plain strings.

Every stored string goes through `core.visible` here and nowhere is markup parsed, so a memory can
say `[/]`, `[@click=app.quit]` or ESC and is only ever read (FR-72, FR-73). No widget, no engine.

    ink.py       the few styles there are; each is more than a colour
    words.py     times, names, counts, one line out of many
    rows.py      a line of a list
    preview.py   an item in full, a preference with both of its values
    search.py    the grammar, scores, and why a result is one
    changes.py   versions, differences, the three sides of a stale save
    erasing.py   what a forget takes, and the receipt
    places.py    the library tree
    sync_state.py  how the library stands to its account; syncing.py its lines, sync_pages.py beside
    conflicts.py the sides of a conflict, and what each choice does
    chrome.py    header, footer, help
"""
