"""Kinto's server with everything in memory and basic auth: `-m syncing.kinto_served`."""

from __future__ import annotations

import logging

import kinto  # type: ignore[import-not-found]

from syncing.waitress_served import run

SETTINGS = {
    "kinto.userid_hmac_secret": "bench",
    "kinto.bucket_create_principals": "system.Authenticated",
    "multiauth.policies": "basicauth",
    "multiauth.policy.basicauth.use": (
        "kinto.core.authentication.BasicAuthAuthenticationPolicy"
    ),
    "kinto.storage_backend": "kinto.core.storage.memory",
    "kinto.cache_backend": "kinto.core.cache.memory",
    "kinto.permission_backend": "kinto.core.permission.memory",
}  # fmt: skip

app = kinto.main({}, **SETTINGS)
logging.disable(logging.INFO)
run(app)
