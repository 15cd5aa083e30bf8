"""The page about privacy promises what is there: options, variables, codes and numbers.

That the command lines of every page exist is tested in test_docs.
"""

from __future__ import annotations

import re
from pathlib import Path

from localmem import credentials
from localmem.cli.copies import backup
from localmem.cli.encryption import decrypt
from localmem.cli.exit_codes import ExitCode
from localmem.cli.facts import add
from localmem.config import SETTINGS
from localmem.core import recovery_key
from localmem.credentials import passphrase
from localmem.engine import outcomes
from localmem.errors import all_errors

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "privacy.md").read_text("utf-8")


def test_options_named_alone_belong_to_a_command_of_the_page() -> None:
    named = set(re.findall(r"`(--[a-z-]+)`", PAGE))
    options = [option for each in (backup, decrypt, add) for option in each.params]
    known = {name for option in options for name in option.opts}
    assert named and named <= known


def test_its_variables_codes_and_numbers_are_the_program_s() -> None:
    variables = {
        credentials.LIBRARY_VARIABLE,
        credentials.LIBRARY_FILE_VARIABLE,
        credentials.ACCOUNT_VARIABLE,
        credentials.ACCOUNT_FILE_VARIABLE,
        credentials.PASSPHRASE_VARIABLE,
        credentials.PASSPHRASE_FILE_VARIABLE,
    }
    assert variables == set(re.findall(r"`(LOCALMEM_[A-Z_]+)`", PAGE))
    assert f"`{credentials.LIBRARY_ENTRY}` of the\n  service `{credentials.SERVICE}`" in PAGE
    assert "store_locked" in PAGE and "store_locked" in all_errors()
    assert f"the exit code is {int(ExitCode.NOT_REWRITTEN)}" in PAGE
    assert "ten seconds at most" in PAGE and credentials.PATIENCE == 10
    groups = recovery_key.written(bytes(32)).split("-")
    assert "nine groups of seven" in PAGE and [len(each) for each in groups] == [7] * 9


def test_what_the_receipt_cannot_reach_is_what_the_page_says() -> None:
    told = PAGE.replace("\n", " ")
    for reach in outcomes.OUT_OF_REACH:
        assert reach.removeprefix("its ").split(", which")[0] in told, reach


def test_what_it_says_of_the_account_s_key_is_so() -> None:
    told = PAGE.replace("\n", " ")
    assert f"the entry `{credentials.ACCOUNT_ENTRY}` of the service `localmem`" in told
    assert f"A file `{credentials.ACCOUNT_FILE}` beside the library" in told
    assert f"at least {credentials.LEAST_PASSPHRASE} characters" in told
    cost = passphrase.COST
    assert f"(N = {cost.n:,}, r = {cost.r}, p = {cost.p})" in told
    assert f"each guess costs {cost.memory // 2**20} MB" in told
    assert "`account.url`" in told and "account.url" in SETTINGS
