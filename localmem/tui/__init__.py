"""The terminal app: keyboard first, nothing blocks, and what is stored is shown, never obeyed.

main.py      argv to app; the only place that wires
app.py       themes, errors, the background work; no screens of its own
actions.py   the ONE table of keys: bindings, footer, palette, help and README come from it
present/     values to lines; pure, no widget
widgets/     what is on a screen; knows no engine
screens/     await the bridge and hand values to widgets
"""
