"""The exception tree is true, and every surface has a word for every error."""

from __future__ import annotations

import re

import localmem.errors as errors


def test_the_tree_in_the_docstring_lists_every_error_with_its_code() -> None:
    drawn = dict(re.findall(r"── (\w+)\s+([a-z_]+) ", errors.__doc__ or ""))
    drawn.update(re.findall(r"── (\w+)\s+([a-z_]+)$", errors.__doc__ or "", re.MULTILINE))
    real = {kind.__name__: code for code, kind in errors.all_errors().items()}
    assert drawn == real


def test_codes_are_unique() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    codes = [
        kind.__dict__["code"]
        for kind in kinds
        if issubclass(kind, errors.LocalmemError) and kind.__dict__.get("code")
    ]
    assert len(codes) == len(set(codes)) == len(errors.all_errors())


def test_the_command_line_maps_every_error_to_an_exit_code() -> None:
    from localmem.cli.exit_codes import EXIT_CODE

    assert set(EXIT_CODE) == set(errors.all_errors())


def test_the_app_maps_every_error_to_a_severity() -> None:
    from localmem.tui.errors import SEVERITY

    assert set(SEVERITY) == set(errors.all_errors())


def test_the_server_maps_every_error_to_a_status() -> None:
    from localmem.server.errors import STATUS

    assert set(STATUS) == set(errors.all_errors())
