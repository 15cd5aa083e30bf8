"""The texts of a service that keeps a library in step: a systemd user unit, a launchd agent. Pure.

Refuses a key in them, whatever the environment holds: only names of folders and files are carried.
Hardened with what needs no right that a user's own service may lack: settings that need namespaces
are left out, because on many systems the service would not start with them.
"""

from __future__ import annotations

import plistlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

MARK = "Written by localmem, to keep a library in step"
"""In every file of ours; one without it is not touched. XML allows no two dashes in it."""
UNIT = "localmem-sync.service"
LABEL = "localmem.sync"
WANTED_BY = "default.target"

CARRIED = (
    "LOCALMEM_HOME", "LOCALMEM_ALLOW_NETWORK", "LOCALMEM_ACCOUNT_URL", "LOCALMEM_KEY_FILE",
    "LOCALMEM_ACCOUNT_KEY_FILE", "LOCALMEM_ACCOUNT_PASSPHRASE_FILE", "XDG_DATA_HOME",
    "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "SSL_CERT_FILE",
)  # fmt: skip
"""What says where things are; a service has none of the shell's variables."""
KEYS = ("LOCALMEM_KEY", "LOCALMEM_ACCOUNT_KEY", "LOCALMEM_ACCOUNT_PASSPHRASE")
"""Variables that hold a secret, and have a sibling that names a file."""
PATHS = frozenset(CARRIED) - {"LOCALMEM_ALLOW_NETWORK", "LOCALMEM_ACCOUNT_URL"}

_UNIT = """\
# {mark}. `localmem sync --remove-service` removes it.
[Unit]
Description=Keep the memories of localmem in step with their server
StartLimitIntervalSec=3600
StartLimitBurst=10

[Service]
Type=exec
ExecStart={command}
{environment}Restart=on-failure
RestartSec=30
RestartPreventExitStatus=2
TimeoutStopSec=30
Nice=10
UMask=0077
NoNewPrivileges=yes
LockPersonality=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service

[Install]
WantedBy={wanted_by}
"""


class Service(NamedTuple):
    """What is run, and what it is told."""

    command: Sequence[str]
    """The program by its whole path, then its arguments."""
    environment: Mapping[str, str]


def carried(environment: Mapping[str, str]) -> dict[str, str]:
    """What of an environment a service needs to find the same library."""
    return {name: environment[name] for name in CARRIED if environment.get(name)}


def unfit(service: Service) -> str:
    """Why it cannot be written down, to stand behind a colon; "" when it can."""
    for text in (*service.command, *service.environment.values()):
        if not text.isprintable():
            return f"{text[:200]!r} has a character in it that such a file cannot hold"
    return ""


def unfit_for_systemd(service: Service) -> str:
    """The same; systemd starts no program whose path has a quote or a backslash in it."""
    program = service.command[0]
    if any(sign in program for sign in "\"'\\"):
        return (
            f"{program[:200]} has a quote or a backslash in it, with which systemd starts nothing"
        )
    return unfit(service)


def systemd_unit(service: Service) -> str:
    program, *arguments = service.command
    words = [_quoted(program), *(_quoted(_undollared(each)) for each in arguments)]
    lines = [f"Environment={_quoted(f'{name}={value}')}\n"
             for name, value in service.environment.items()]  # fmt: skip
    return _UNIT.format(
        mark=MARK, command=" ".join(words), environment="".join(lines), wanted_by=WANTED_BY
    )


def _quoted(text: str) -> str:
    """One word of a unit: its quotes, its escapes and its specifiers (%h) mean nothing."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'


def _undollared(text: str) -> str:
    """Arguments are searched for variables; the program's own path is not."""
    return text.replace("$", "$$")


def launchd_agent(service: Service) -> str:
    agent = {
        "Label": LABEL,
        "ProgramArguments": list(service.command),
        "EnvironmentVariables": dict(service.environment),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ThrottleInterval": 60,
        "ExitTimeOut": 30,
        "ProcessType": "Background",
        "Umask": 0o077,
    }
    text = plistlib.dumps(agent, sort_keys=False).decode("utf-8")
    head, doctype, rest = text.partition("<plist")
    return f"{head}<!-- {MARK} -->\n{doctype}{rest}"
