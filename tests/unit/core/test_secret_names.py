"""What the names above a value say it is, and what a name itself may hold."""

from __future__ import annotations

import pytest

from localmem.core.model import Json
from localmem.core.screening import screen_json, screen_name

CARD = 4111111111111111
TOKEN = "ghp" + "_a1B2c3D4e5F6g7H8i9J0"
PASSWORD_MASK = "[password removed]"
KEY_MASK = "[api key removed]"
CARD_MASK = "[card number removed]"


@pytest.mark.parametrize(
    ("value", "masked"),
    [
        ({"card": CARD}, {"card": CARD_MASK}),
        ({"card": float(CARD)}, {"card": CARD_MASK}),
        ({"card": str(CARD)}, {"card": CARD_MASK}),
        ({"creditCardNumber": CARD}, {"creditCardNumber": CARD_MASK}),
        ({"card": {"number": CARD, "brand": "Visa", "cvc": 123}},
         {"card": {"number": CARD_MASK, "brand": "Visa", "cvc": 123}}),
        ({"cartões": [CARD, f"azul {CARD}"]}, {"cartões": [CARD_MASK, f"azul {CARD_MASK}"]}),
        ({"cards": {"bank": CARD}}, {"cards": {"bank": CARD_MASK}}),
        ({"password": 12345678}, {"password": PASSWORD_MASK}),
        ({"password": -12345678}, {"password": PASSWORD_MASK}),
        ({"password": {"value": "hunter22x"}}, {"password": {"value": PASSWORD_MASK}}),
        ({"password": {"value": "correcthorse"}}, {"password": {"value": PASSWORD_MASK}}),
        ({"password": ["hunter22x", 12345678]}, {"password": [PASSWORD_MASK, PASSWORD_MASK]}),
        ({"passwords": {"wifi": "correcthorse", "email": "hunter22x"}},
         {"passwords": {"wifi": PASSWORD_MASK, "email": PASSWORD_MASK}}),
        ({"senhas": [{"wifi": "praia2020"}]}, {"senhas": [{"wifi": PASSWORD_MASK}]}),
        ({"pass\u200bword": "hunter22x"}, {"pass\u200bword": PASSWORD_MASK}),
        ({"ｐａｓｓｗｏｒｄ": "hunter22x"}, {"ｐａｓｓｗｏｒｄ": PASSWORD_MASK}),
        ({"contrasen\u0303a": "playa2020"}, {"contrasen\u0303a": PASSWORD_MASK}),
        ({"apiKeys": {"maps": "abcd1234efgh"}}, {"apiKeys": {"maps": KEY_MASK}}),
        ({"api_key": {"value": "abcdefgh"}}, {"api_key": {"value": KEY_MASK}}),
        ({"token": {"access": "abcdefgh12", "refresh": "zyxwvu98"}},
         {"token": {"access": "[secret removed]", "refresh": "[secret removed]"}}),
        ({"secret": 12345678}, {"secret": "[secret removed]"}),
    ],
)  # fmt: skip
def test_a_name_announces_what_is_beneath_it(value: Json, masked: Json) -> None:
    assert screen_json(value).value == masked
    assert screen_json(masked).kinds == ()


@pytest.mark.parametrize(
    "value",
    [
        {"order": CARD, "invoice": str(CARD), "paid": True},
        {"card": 4111111111111112, "sim_card": {"iccid": CARD, "imei": 356938035643809}},
        {"sim_card": 356938035643809, "business_card": "+351 912 345 678", "card_order": CARD},
        {"discard": CARD, "postcard": CARD, "company": CARD},
        {"password": 12, "passwords": 3, "password_attempts": 100000, "token": True},
        {"password": {"hint": "firstdog", "updated_at": 1731000000, "minLength": 12000000}},
        {"password": {"type": "string", "format": "password", "required": True}},
        {"password": {"place": "fridge-door", "user": "ana.silva2", "manager": "KeePassium"}},
        {"password": {"app": "KeePassium", "email": "ana2@example.com", "bank": "Millennium"}},
        {"password": {"policy": {"value": "rotating90days", "reviewed": "2026-11-01"}}},
        {"passwords": {"reviewed": "2026-11-01T10:00:00Z"}},
        {"passwords": {"entry": "0193f2a4-7c1e-7d3a-9b1c-2f5a6c7d8e9f"}},
        {"password": "written on the fridge", "passwords": {"wifi": "on the fridge"}},
        {"api_key": {"environment": "production", "scopes": ["read-all"], "plan": "enterprise"}},
        {"api_key": {"requests": 1200000, "id": "0193f2a47c1e"}, "account_key": 100234},
        {"token": {"symbol": "USDT", "contract": "0xdAC17F958D2ee523a2206206994597C13D831ec7"}},
        {"max_token": 128000, "token": "900000", "tokens": {"prompt": 128000}, "tokens_used": 1e6},
        {"input_token": "NextToken", "output_token": "Marker", "token": "bitcoin"},
        {"members": {"Password": {"shape": "UserPassword"}}},
        {"secret": {"santa": "Ana2024x", "recipe": "cinnamon"}},
        {"secretary": "Ana2024x", "keyboard": "layout2024", "passport_office": "Porto2024"},
        {"password": 123456.5, "card": 4111111111111111.5},
    ],
)  # fmt: skip
def test_what_a_name_only_seems_to_announce_is_left_alone(value: Json) -> None:
    assert screen_json(value).value is value
    assert screen_json(value).in_names == ()


def test_a_document_stands_under_its_collection_and_key() -> None:
    assert screen_json("hunter22x", under=("passwords", "wifi")).value == PASSWORD_MASK
    assert screen_json({"v": "hunter22x"}, under=("home", "wifi-password")).value == {
        "v": PASSWORD_MASK
    }
    assert screen_json(CARD, under=("cards", "blue")).value == CARD_MASK
    assert screen_json(CARD, under=("orders", "blue")).value == CARD


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (TOKEN, "api key"),
        (f"contact-{TOKEN}", "api key"),
        (TOKEN[:9] + "\u200b" + TOKEN[9:], "api key"),
        ("password:hunter22x", "password"),
        ("password:12345678", "password"),
        ("api_key:abcd1234efgh", "api key"),
        (f"card:{CARD}", "card number"),
        ("4111-1111-1111-1111", "card number"),
        ("pays with ４１１１ １１１１ １１１１ １１１１", "card number"),
    ],
)
def test_a_secret_in_a_name_is_seen(name: str, kind: str) -> None:
    assert screen_name(name) == (kind,)
    assert screen_json([{name: 1}]).in_names == (kind,)
    assert screen_json([{name: 1}]).value == [{name: 1}]


@pytest.mark.parametrize(
    "name",
    [
        "", "password", "db_password", "password:policy", "password:reset", "token:usage",
        "secret:santa", "api-keys", "accessToken", "ana.silva@example.com", "5511912345678",
        "phone:5511912345678", "order:4111111111111111", "4111111111111111", "visa:applications",
        "0193f2a4-7c1e-7d3a-9b1c-2f5a6c7d8e9f", "ORD-2026-000123", "task-12345678901234",
        "3b18e512dba79e4c8300dd08aeb37f8e728b8dad", "PT50000201231234567890154",
        "cps_measurements", "mos_scores_weekly", "csk_translations", "session:2026-11-30T18:00",
        "wa:+351912345678", "customer.city", "喜欢的品牌",
    ],
)  # fmt: skip
def test_an_honest_name_is_left_alone(name: str) -> None:
    assert screen_name(name) == ()
