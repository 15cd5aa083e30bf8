"""The address of a memory API: what is meant is what is reached, or it is refused."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localmem import wiring
from localmem.config import SETTINGS, understand
from localmem.config.address import read
from localmem.config.book import Book
from localmem.errors import InvalidSettings


@pytest.mark.parametrize(("text", "url"), [
    ("https://memory.example.com", "https://memory.example.com"),
    ("  HTTPS://Memory.Example.COM:443/ \n", "https://memory.example.com"),
    ("https://memory.example.com./team/a/", "https://memory.example.com/team/a"),
    ("https://memory.example.com:8443/v-1.0/x_y~z", "https://memory.example.com:8443/v-1.0/x_y~z"),
    ("https://192.0.2.7:8443", "https://192.0.2.7:8443"), ("http://localhost:80", "http://localhost"),
    ("http://127.0.0.1:8787/", "http://127.0.0.1:8787"), ("http://127.9.9.9", "http://127.9.9.9"),
    ("http://[::1]:8787", "http://[::1]:8787"), ("https://[2001:DB8::0:1]", "https://[2001:db8::1]"),
    ("https://memory.example.com:", "https://memory.example.com"),
    ("https://memory。example．com", "https://memory.example.com"),
])  # fmt: skip
def test_an_address_has_one_form(text: str, url: str) -> None:
    assert read(text) == (url, "", ())


@pytest.mark.parametrize(("text", "url"), [
    ("memory.example.com", "https://memory.example.com"),
    ("memory.example.com:8443/a", "https://memory.example.com:8443/a"),
    ("//memory.example.com", "https://memory.example.com"),
    ("localhost:8787", "http://localhost:8787"), ("127.0.0.1", "http://127.0.0.1"),
])  # fmt: skip
def test_a_missing_scheme_is_taken_to_be_the_safe_one_and_told(text: str, url: str) -> None:
    found = read(text)
    assert found.url == url
    scheme = url.partition("://")[0]
    assert found.notes == (f"The address had no https:// or http://: it is used with {scheme}://.",)


@pytest.mark.parametrize(("text", "host"), [
    ("https://ехаmple.com", "xn--mple-43d3a6i.com"),  # Cyrillic е, х and а
    ("https://bücher.example", "xn--bcher-kva.example"), ("https://faß.de", "xn--fa-hia.de"),
    ("https://xn--bcher-kva.example", "xn--bcher-kva.example"),
])  # fmt: skip
def test_a_host_in_other_letters_is_shown_by_its_plain_name(text: str, host: str) -> None:
    found = read(text)
    assert found.url.isascii() and urlsplit(found.url).hostname == found.url[8:]
    assert "xn--" in found.url and len(found.notes) == 1 and found.url[8:] in found.notes[0]
    assert found.url[8:] == host


@pytest.mark.parametrize(("text", "says"), [
    ("", "empty"), (" \n", "empty"), ("https://", "no host"), ("https:///path", "no host"),
    ("https://:443", "no host"), ("x" * 1_001, "more than 1,000"),
    ("https://me:secret@memory.example.com", "name or a password"),
    ("me:secret@memory.example.com", "name or a password"),
    ("http://127.0.0.1@evil.example", "name or a password"),
    ("https://zv_live_secret@memory.example.com", "name or a password"),
    ("http://memory.example.com", "in the clear"), ("http://localhost.evil.example", "the clear"),
    ("http://127.0.0.1.evil.example", "in the clear"), ("http://10.0.0.1", "in the clear"),
    ("http://0.0.0.0", "in the clear"), ("http://[2001:db8::1]", "in the clear"),
    ("ftp://memory.example.com", "begin with https"), ("javascript:secret", "begin with https"),
    ("file:///etc/passwd", "begin with https"), ("https:memory.example.com", "begin with https"),
    ("https://memory.example.com/?key=secret", "? or #"), ("https://m.example#secret", "? or #"),
    ("https://memory.example.com\\@evil.example", "backslash"),
    ("https://memory.exa mple.com", "a space"), ("https://memory\n.example.com", "a line break"),
    ("https://memory.\u202eexample.com", "nobody can see"), ("https://m.example/\x00", "can see"),
    ("https://memory\u200b.example.com", "can see"), ("https://m.example\x1b[2J", "can see"),
    ("https://127.1", "no name and no number"), ("https://0x7f000001", "no name and no number"),
    ("https://2130706433", "no name and no number"), ("https://1.2.3.4.5", "no name and no number"),
    ("https://memory..com", "no name and no number"), ("https://-memory.com", "no name and no"),
    ("https://me℀mory.com", "no name and no number"), ("https://" + "a" * 64 + ".com", "no name"),
    ("https://[::1", "no host"), ("https://[::1%25eth0]", "no name and no number"),
    ("https://memory.example.com:0", "port"), ("https://memory.example.com:65536", "port"),
    ("https://memory.example.com:٤٤٣", "no host"), ("https://memory.example.com:443:1", "no host"),
    ("https://memory.example.com/a/../b", "single slashes"), ("https://m.example/.", "single"),
    ("https://memory.example.com//a", "single slashes"), ("https://m.example/%2e%2e", "single"),
    ("https://memory.example.com/ä", "single slashes"),
])  # fmt: skip
def test_what_could_lead_elsewhere_is_refused_without_repeating_it(text: str, says: str) -> None:
    found = read(text)
    assert found.url == "" and says in found.wrong and found.notes == ()
    assert "secret" not in found.wrong and "evil" not in found.wrong


@given(st.text(max_size=40) | st.from_regex(r"https?://[a-z0-9.:@/\\\[\]%#?é。-]{0,30}"))
def test_whatever_is_accepted_is_plain_and_means_itself(text: str) -> None:
    found = read(text)
    assert bool(found.url) != bool(found.wrong)
    if found.url:
        parts = urlsplit(found.url)
        assert found.url.isascii() and found.url.isprintable() and not found.url.endswith("/")
        assert read(found.url).url == found.url
        assert (parts.username, parts.password, parts.query, parts.fragment) == (None, None, "", "")
        assert (
            parts.scheme == "https"
            or parts.hostname in ("localhost", "::1")
            or (parts.hostname or "").startswith("127.")
        )


# the setting


def test_the_setting_is_read_from_its_table_and_kept_in_one_form(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("# mine\nfloor = 0.4\n[account]\nurl = 'Memory.Example.com/'\n")
    found = understand(file, {})
    assert (found.settings.account_url, found.problems) == ("https://memory.example.com", ())
    environment = {"LOCALMEM_ACCOUNT_URL": "localhost:8787"}
    assert understand(file, environment).settings.account_url == "http://localhost:8787"
    assert SETTINGS["account.url"].variable == "LOCALMEM_ACCOUNT_URL"


def test_the_setting_is_written_under_its_table_and_taken_out_again(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("# mine\n[account]\nold = 1  # what was here before\n")
    book = Book(file, {}, wiring.check_model)
    changed = book.set("account.url", book.typed("account.url", " memory.example.com/a/ "))
    assert (changed.old, changed.new) == ("", "https://memory.example.com/a")
    assert 'url = "https://memory.example.com/a"' in file.read_text()
    assert "# what was here before" in file.read_text()
    assert book.unset("account.url").new == ""
    book.unset("account.old")
    assert "url" not in file.read_text() and "old" not in file.read_text()
    with pytest.raises(InvalidSettings, match=r"Did you mean account\.url"):
        book.unset("account.ulr")


@pytest.mark.parametrize(("text", "says"), [
    ("[account]\nurl = 'http://memory.example.com'", "(line 2) must be the address"),
    ("[account]\nurl = 3", "must be the address"), ("account = 3", "a table of its own, [account]"),
    ("[account]\nulr = 'x'", "Did you mean account.url"),
    ("[account]\nurl = 'https://me:secret@memory.example.com'", "a password in it"),
])  # fmt: skip
def test_a_wrong_setting_is_told_without_a_secret_and_costs_nothing_else(
    tmp_path: Path, text: str, says: str
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(f"{text}\n[keys]\nedit = 'z'\n")
    found = understand(file, {})
    assert found.settings.account_url == "" and found.settings.keys == {"edit": ("z",)}
    assert (
        len(found.problems) == 1 and says in found.problems[0] and "secret" not in found.problems[0]
    )


def test_a_typed_address_that_cannot_be_says_why(tmp_path: Path) -> None:
    book = Book(tmp_path / "config.toml", {}, wiring.check_model)
    with pytest.raises(InvalidSettings, match="in the clear"):
        book.typed("account.url", "http://memory.example.com")
    assert wiring.read_address("memory.example.com").url == "https://memory.example.com"
