"""What a secret looks like: token prefixes, labels, key blocks, card numbers.

The shapes of protocols 2.8 and the prefixes issuers publish for their own tokens; never entropy,
so hashes, UUIDs, IBANs, phone and order numbers are left alone. `core.screening` decides what
becomes of a find.

`detect-secrets` 1.5.0 was measured instead of assumed: 150-220 ms of import (a whole HTTP client)
on the write path; it gives no place in the text to mask, and "ghp" for a GitHub token; it misses
`password: x1y2z3`, `sk-proj-`, `Bearer`, Google keys and every Portuguese label; and its entropy
rules, where they run, flag commit and file hashes. Ours masks none of the 2,237 sentences of the
evaluation sets either.

Known gaps, on purpose: a passphrase of plain words, and a bare secret with neither a label nor a
known prefix, are prose and numbers to any rule that leaves honest facts alone; so are look-alike
letters of other scripts. What a member's name announces is in `core.secret_names`.

Every pattern starts at a fixed word and is bounded or possessive after it, so the time taken grows
with the text and not with its square. Matched is the text without its disguises
(`core.disguise`), places are those of the text as given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from localmem.core.disguise import Undisguised, undisguise

API_KEY = "api key"
BEARER = "bearer token"
CARD = "card number"
PASSWORD = "password"
PRIVATE_KEY = "private key"
SECRET = "secret"
WEB_TOKEN = "web token"
WEBHOOK = "webhook address"

_PASSES = 3
"""What stands beside a secret may show as one only once that is out of the way."""
_BLANK = "•"


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a secret stands; never what it is."""

    kind: str
    """In the person's words: "api key", "password" …"""
    start: int
    end: int
    announced_at: int
    """Where the words that announce it begin ("api key: …"); `start` without any."""


def is_uuid(text: str) -> bool:
    return _UUID.fullmatch(text) is not None


def find(text: str) -> tuple[Secret, ...]:
    """Every secret in `text`: sorted, apart from each other."""
    if len(text) < LEAST or is_uuid(text) or (text.isascii() and not _may_hold(text)):
        return ()
    plain = undisguise(text)
    left = plain.text
    if not _may_hold(left):
        return ()
    found: list[Secret] = []
    for _ in range(_PASSES):
        more = _apart(_find(left))
        if not more:
            break
        found += more
        left = _blanked(left, more)
    # Again after the way back: two secrets may meet inside one character ("℡" is three).
    return _apart(_as_given(secret, plain) for secret in _apart(found))


def _as_given(secret: Secret, plain: Undisguised) -> Secret:
    return Secret(
        secret.kind,
        plain.start(secret.start),
        plain.end(secret.end),
        plain.start(secret.announced_at),
    )


def _blanked(text: str, secrets: Sequence[Secret]) -> str:
    """`text` with the secrets taken out, every place the same; they are sorted and apart."""
    parts: list[str] = []
    at = 0
    for secret in secrets:
        parts += text[at : secret.start], _BLANK * (secret.end - secret.start)
        at = secret.end
    return "".join([*parts, text[at:]])


def _apart(secrets: Iterable[Secret]) -> tuple[Secret, ...]:
    apart: list[Secret] = []
    for secret in sorted(secrets, key=lambda s: (s.start, -s.end)):
        if apart and secret.start < apart[-1].end:
            apart[-1] = _joined(apart[-1], secret)
        else:
            apart.append(secret)
    return tuple(apart)


def _joined(first: Secret, second: Secret) -> Secret:
    announced_at = min(first.announced_at, second.announced_at)
    return Secret(first.kind, first.start, max(first.end, second.end), announced_at)


# --- shapes that are a secret wherever they stand --------------------------------------------

_WORD, _TOKEN, _HEX = "[A-Za-z0-9]", "[A-Za-z0-9_-]", "[A-Fa-f0-9]"

# prefix, alphabet of the rest, fewest characters of it
_PREFIXES: tuple[tuple[str, str, int], ...] = (
    (r"sk-(?:proj|ant|or|svcacct|admin|live|test)-", _TOKEN, 12),  # OpenAI, Anthropic, OpenRouter
    (r"sk-", _WORD, 12),
    (r"[sr]k_(?:live|test)_", _WORD, 12),  # Stripe
    (r"whsec_", r"[A-Za-z0-9+/]", 16),
    (r"zv_(?:live|test)_", _TOKEN, 12),  # Zavu
    # "cps_measurements" is a column, so these need a digit
    (r"(?:csk|cps)_(?=[A-Za-z_-]{0,64}[0-9])", _TOKEN, 12),  # CodeSpar
    (r"(?:mos|xmemo)_(?=[A-Za-z_-]{0,64}[0-9])", _TOKEN, 12),  # XMemo
    (r"gh[pousr]_", _WORD, 12),  # GitHub
    (r"github_pat_", r"[A-Za-z0-9_]", 12),
    (r"gl(?:pat|ptt|dt|rt|soat)-", _TOKEN, 16),  # GitLab
    (r"xox[abceoprs]-", r"[A-Za-z0-9-]", 12),  # Slack
    (r"xapp-", r"[A-Za-z0-9-]", 20),
    (r"A(?:KIA|SIA|BIA|CCA)", r"[A-Z0-9]", 12),  # AWS
    (r"AIza", _TOKEN, 24),  # Google
    (r"GOCSPX-", _TOKEN, 20),
    (r"ya29\.", _TOKEN, 20),
    (r"hf_", _WORD, 20),  # Hugging Face
    (r"gsk_", _WORD, 20),  # Groq
    (r"xai-", _WORD, 20),
    (r"pplx-", _WORD, 20),
    (r"r8_", _WORD, 30),  # Replicate
    (r"npm_", _WORD, 30),
    (r"pypi-AgE", _TOKEN, 20),
    (r"do[opr]_v1_", _HEX, 32),  # DigitalOcean
    (r"dapi", _HEX, 32),  # Databricks
    (r"hv[sb]\.", _TOKEN, 20),  # Vault
    (r"shp(?:at|ca|pa|ss)_", _HEX, 32),  # Shopify
    (r"sq0(?:atp|csp|idp)-", _TOKEN, 20),  # Square
    (r"APP_USR-", r"[A-Za-z0-9-]", 20),  # Mercado Pago
    (r"lin_api_", _WORD, 20),
    (r"ntn_", _WORD, 30),  # Notion
    (r"sbp_", _HEX, 32),  # Supabase
    (r"tskey-", _TOKEN, 16),  # Tailscale
    (r"PMAK-", r"[A-Fa-f0-9-]", 24),  # Postman
    (r"figd_", _TOKEN, 20),
    (r"ATATT3", r"[A-Za-z0-9_=-]", 20),  # Atlassian
)
_API_KEY = re.compile(
    "(?<![A-Za-z0-9])(?:"
    + "|".join(f"{prefix}{rest}{{{least},}}+" for prefix, rest, least in _PREFIXES)
    # "key-characteristics" is a word, so this one needs a digit
    + r"|key-(?=[A-Za-z]{0,40}[0-9])[A-Za-z0-9]{12,}+"
    + r"|SG\.[\w-]{16,80}+\.[\w-]{16,}+)"
)
_PEM = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
    r"|PuTTY-User-Key-File-\d"
    r"|(?<![A-Z0-9-])AGE-SECRET-KEY-1[A-Z0-9]{20,}+"
)
_PEM_END = re.compile(r"-----END (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_JWT = re.compile(r"(?<![\w-])eyJ[\w-]{6,}+\.[\w-]{6,}+\.[\w-]{6,}+", re.ASCII)
_BEARER = re.compile(
    r"(?<![A-Za-z])bearer[ \t]{1,4}(?P<secret>[\w.~+/=-]{12,}+)", re.ASCII | re.IGNORECASE
)
_BASIC = re.compile(
    r"authorization[\"']?[ \t]{0,4}:[ \t]{0,4}[\"']?basic[ \t]{1,4}(?P<secret>[A-Za-z0-9+/=]{8,}+)",
    re.IGNORECASE,
)
_URL_PASSWORD = re.compile(r"://[^\s/:@\[]{0,128}:(?P<secret>[^\s/@\[<{$*][^\s/@]{0,256})@")
_WEBHOOK = re.compile(
    r"https://hooks\.slack\.com/(?:services|workflows)/[\w/-]{16,}+"
    r"|https://(?:\w{1,16}\.)?discord(?:app)?\.com/api/webhooks/\d{10,}+/[\w-]{20,}+",
    re.ASCII,
)
_TELEGRAM = re.compile(r"(?<![\w:-])\d{8,10}:AA[\w-]{30,}+", re.ASCII)
# Grouped as on the card, or a run of digits announced as a card: an order number is neither.
_CARD_GROUPED = re.compile(
    r"(?<![\w-])(?<!\d{4}[ .-])(?<![A-Z]{2}\d{2}[ .-])"  # not the middle of an IBAN
    r"(?:[2-6]\d{3}([ \t.-])\d{4}\1\d{4}\1\d{4}(?!\1\d{4}(?!\d))"
    r"|3[47]\d{2}([ \t.-])\d{6}\2\d{5}(?!\2\d{4}(?!\d)))(?![\w-])"
)
_CARD_NAMED = re.compile(
    r"(?<![^\W_])(?:(?:credit|debit|bank)?cards?(?:number)?|cart[aã]o|cart[oõ]es|tarjetas?|visa"
    r"|mastercard|amex|elo|cartes?|(?:kredit)?karten?(?:nummer)?)(?![^\W_])"
    r"[^\n\d]{0,40}(?P<secret>[2-6]\d{12,18})(?![\w-])",
    re.IGNORECASE,
)
_CARD_ISSUED = re.compile(
    r"2[2-7]\d{14}|3(?:[47]\d{13}|[068]\d{12}|5\d{14})|4\d{12}(?:\d{3}){0,2}"
    r"|5\d{15}|(?:5[06-8]|6)\d{11,17}"
)
"""Beginnings and lengths that issuers use: a phone's IMEI has the check digit of a card too."""

# What every shape above has, and most texts have not; labels have hints of their own.
_HINTS = ("://", "-----", "bearer", "author")
_LONG_WORD = 15
"""The shortest key of a prefix: sk- and twelve characters."""
_CARD_DIGITS = re.compile(r"\d{4}(?:[ \t.-]\d{4}|\d{9})")

_UUID = re.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""Fits no shape, and is too long for the quick look: every synchronised document has one."""

_LONG_TOKEN = 24
"""A bearer token of letters alone is a word ("bearer authentication") below this length."""


def _may_hold(text: str) -> bool:
    """Whether a closer look is worth it: five times as fast as that, and False for most texts."""
    folded = text.casefold()
    return _may_be_labelled(folded) or _may_have_shape(text, folded)


def _may_be_labelled(folded: str) -> bool:
    return any(map(folded.__contains__, _LABEL_HINTS))


def _may_have_shape(text: str, folded: str) -> bool:
    if any(map(folded.__contains__, _HINTS)):
        return True
    return max(map(len, text.split()), default=0) >= _LONG_WORD or bool(_CARD_DIGITS.search(text))


def _find(text: str) -> Iterator[Secret]:
    folded = text.casefold()
    if _may_have_shape(text, folded):
        yield from _private_keys(text)
        for kind, pattern, accepts in _SHAPES:
            for match in pattern.finditer(text):
                group = "secret" if "secret" in pattern.groupindex else 0
                if accepts(match[group]):
                    yield Secret(kind, match.start(group), match.end(group), match.start())
    if _may_be_labelled(folded):
        yield from _labelled(text)


def _private_keys(text: str) -> Iterator[Secret]:
    """From the BEGIN line to its END, or to the end of the text when the block was cut off."""
    at = 0
    while begin := _PEM.search(text, at):
        if begin[0].startswith("AGE"):
            at = begin.end()
        else:
            end = _PEM_END.search(text, begin.end())
            at = end.end() if end else len(text)
        yield Secret(PRIVATE_KEY, begin.start(), at, begin.start())


def _any(_: str) -> bool:
    return True


def _is_bearer(token: str) -> bool:
    return len(token) >= _LONG_TOKEN or any(c.isdigit() for c in token)


def _is_card(number: str) -> bool:
    """An issuer's number whose check digit (Luhn) holds."""
    digits = [int(c) for c in reversed(number) if c.isdigit()]
    if not _CARD_ISSUED.fullmatch("".join(map(str, reversed(digits)))):
        return False
    doubled = (d * 2 - 9 if d > 4 else d * 2 for d in digits[1::2])
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0


_SHAPES: tuple[tuple[str, re.Pattern[str], Callable[[str], bool]], ...] = (
    (API_KEY, _API_KEY, _any),
    (API_KEY, _TELEGRAM, _any),
    (WEB_TOKEN, _JWT, _any),
    (BEARER, _BEARER, _is_bearer),
    (PASSWORD, _BASIC, _any),
    (PASSWORD, _URL_PASSWORD, _any),
    (WEBHOOK, _WEBHOOK, _any),
    (CARD, _CARD_GROUPED, _is_card),
    (CARD, _CARD_NAMED, _is_card),
)

# --- what a label announces ------------------------------------------------------------------

_LABEL = re.compile(
    r"(?P<password>password|passwd|passphrase|passcode|(?<![a-z])pwd|(?<![^\W_])senha"
    r"|contrase[nñ]a|mot de passe|(?:pass|kenn)wort|密码|密碼|パスワード|비밀번호|пароль)"
    r"|(?P<key>(?:api|access|secret|private|account|encryption)[ _-]?key|apikey"
    r"|chave (?:de |da )?api|clave (?:de |del )?api)"
    r"|(?P<weak>(?:client|app|shared)[ _-]?secret|secret|token)",
    re.IGNORECASE,
)
_LABEL_HINTS = (
    "pass", "pwd", "senha", "contrase", "kennwort", "密", "パスワード", "비밀번호", "пароль",
    "key", "api", "secret", "token",
)  # fmt: skip
"""No text without one of these has a label; looking for them is ten times as fast."""
# password: … · "apiKey" => … · DB_PASSWORD=… · **Token:** `…`
_SIGN = re.compile(
    r"[\"'`*]{0,3}(?P<sign>[ \t]{0,4}(?::=|=>|[:=：])\*{0,2}\s{0,8})(?P<quote>[\"'`]?)"
)
# the password for the beach house is … · senha do wifi: …
_PHRASE = re.compile(
    r"(?P<about>[ \t](?:for|of|to|at|on|do|da|de|del|dos|das|no|na|para|pra|pro)[ \t]"
    r"[^\n:=\[]{1,40}?)?"
    r"(?P<sign>[ \t](?:is|was|é|era|es|ist)[ \t:]|[ \t]{0,2}[:=])[ \t]{0,4}(?P<quote>[\"'`]?)",
    re.IGNORECASE,
)

LEAST = 6
"""Characters of a labelled secret (protocols 2.8)."""
_LEAST_WEAK = 8
""""Token: ERC-20" is prose; after `token:` and `secret:` a shorter value is no secret."""
_LOOK = 512
"""Characters of a value that are judged; a longer one is masked to its end all the same."""
_VALUE = re.compile(rf"\S{{{LEAST},{_LOOK}}}")
_QUOTED = {quote: re.compile(rf"[^{quote}\n]{{{LEAST},{_LOOK}}}(?={quote})") for quote in "\"'`"}
_REST = re.compile(r"\S*")
_ENDS_LINE = re.compile(r"[ \t.,;:!?)\]}\"'`*]{0,16}(?:\n|\Z)")
_TRAILING = ".,;:?)]}>\"'`*"
_HARMLESS = re.compile(
    r"\[[a-z ]{3,20}(?:removed\])?"  # our own mask
    r"|\$\{?[A-Z_][A-Z0-9_]*\}?|\$\(.*|<[^>]*>?|\{\{.*|%[A-Z_]+%"  # a variable
    r"|[*•.·_xX-]+"  # masked already
    r"|[a-z][a-z0-9+]{1,12}://\S*|(?:~|\.{1,2})/\S*"  # where it is kept
    r"|[\w.+-]{1,64}@[\w-]+(?:\.[\w-]{1,63}){1,8}"  # an address
    r"|(?:os\.|process\.)?(?:env|environ|getenv)\b\S*"
)
_SAYS_NO_VALUE = frozenset(
    {"1password", "bitwarden", "dashlane", "keepass", "keepassxc", "keychain", "lastpass",
     "unknown", "unchanged", "changed", "forgotten", "missing", "removed", "redacted", "hidden",
     "required", "optional", "default", "expired", "invalid", "incorrect", "rejected", "accepted",
     "protected", "encrypted", "disabled", "enabled", "rotated", "esquecida", "esqueceu",
     "trocada", "mudou", "alterada", "expirada", "desconhecida", "olvidada", "cambiada"}
)  # fmt: skip
_SPACE = re.compile(r"\s")
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
_SYMBOL = re.compile(r"[!@#$%^&*+=?~|]")
_TIGHT = ("=", ":=")


@dataclass(frozen=True, slots=True)
class _Value:
    word: str
    start: int
    end: int
    alone: bool
    """Quoted without a space, or the last word of its line: nothing goes on as prose."""


def _labelled(text: str) -> Iterator[Secret]:
    covered = 0
    for label in _LABEL.finditer(text):
        secret = _announced(text, label) if label.end() >= covered else None
        if secret:
            covered = secret.end
            yield secret


def _announced(text: str, label: re.Match[str]) -> Secret | None:
    sign = _SIGN.match(text, label.end())
    value = _value(text, sign) if sign else None
    if sign and value and _is_secret(value, weak=bool(label["weak"]), sign=sign["sign"]):
        return _secret(text, label, value, label.start())
    phrase = None if label["weak"] else _PHRASE.match(text, label.end())
    value = _value(text, phrase) if phrase else None
    if phrase and value and looks_random(value.word):
        # What the password is for is worth keeping, so it does not go with the secret.
        return _secret(text, label, value, value.start if phrase["about"] else label.start())
    return None


def _secret(text: str, label: re.Match[str], value: _Value, announced_at: int) -> Secret:
    end = value.end
    if end - value.start >= _LOOK and (rest := _REST.match(text, end)):
        end = rest.end()
    return Secret(label_kind(label), value.start, end, announced_at)


def last_label(name: str) -> re.Match[str] | None:
    """The label a name ends with, plural or not: "db_password", not "password_hint"."""
    for label in _LABEL.finditer(name) if _may_be_labelled(name.casefold()) else ():
        if name[label.end() :].casefold() in ("", "s"):
            return label
    return None


def label_kind(label: re.Match[str]) -> str:
    if label["password"]:
        return PASSWORD
    return API_KEY if label["key"] else SECRET


def _value(text: str, sign: re.Match[str]) -> _Value | None:
    """What follows the sign, when it could be a value at all."""
    quoted = _QUOTED[sign["quote"]].match(text, sign.end()) if sign["quote"] else None
    if quoted:
        value = _Value(quoted[0], quoted.start(), quoted.end(), " " not in quoted[0])
    else:
        word = _VALUE.match(text, sign.end())
        if not word:
            return None
        bare = word[0] if len(word[0]) == _LOOK else word[0].rstrip(_TRAILING)
        alone = bool(_ENDS_LINE.match(text, word.end()))
        value = _Value(bare, word.start(), word.start() + len(bare), alone)
    return None if len(value.word) < LEAST or is_harmless(value.word) else value


def is_harmless(value: str) -> bool:
    """It says where a secret is, or that there is none to see."""
    return bool(_HARMLESS.fullmatch(value)) or value.casefold() in _SAYS_NO_VALUE


def _is_secret(value: _Value, *, weak: bool, sign: str) -> bool:
    if not weak:
        return sign in _TIGHT or value.alone or looks_random(value.word)
    if value.word.isdigit():
        return False
    return sign in _TIGHT or (
        len(value.word) >= _LEAST_WEAK and mixes_letters_and_digits(value.word)
    )


def looks_random(word: str) -> bool:
    """It is no word of prose: digits alone, or letters with digits or symbols among them."""
    if word.isdigit() or mixes_letters_and_digits(word):
        return True
    return bool(_LETTER.search(word) and _SYMBOL.search(word))


def mixes_letters_and_digits(word: str) -> bool:
    return bool(_DIGIT.search(word) and _LETTER.search(word))
