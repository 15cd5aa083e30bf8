"""vdirsyncer between a folder of vCards and Radicale's CardDAV; a record is a card.

It is a program, so a run is a process, and its start is in every run. `vdirsyncer discover`, which
a device needs once, is none of the steps.
"""

from __future__ import annotations

import re
import resource
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from peers.venvs import Package

from syncing.packages import Installable, need
from syncing.processes import Server, environment, served
from syncing.protocol import Device, System, Tally
from syncing.records import Record

FOLDER = "vdirsyncer"
VDIRSYNCER = Package("vdirsyncer", FOLDER, ("vdirsyncer", "radicale", "waitress"))
RADICALE = Package("radicale", FOLDER, VDIRSYNCER.requirements)
PACKAGES: dict[str, Installable] = {"vdirsyncer": VDIRSYNCER, "Radicale": RADICALE}
COLLECTION = "facts"
CONFIG = """[general]
status_path = "{place}/status/"
[pair facts]
a = "here"
b = "there"
collections = ["{collection}"]
[storage here]
type = "filesystem"
path = "{place}/cards/"
fileext = ".vcf"
[storage there]
type = "carddav"
url = "{url}/bench/"
username = "bench"
password = "bench"
"""
CARD = (
    "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:{key}\r\nFN:{number}\r\nN:{number};;;;\r\n"
    "NOTE:{text}\r\nEND:VCARD\r\n"
)
ESCAPED = {"n": "\n", "N": "\n"}


def _card(key: str, number: int, text: str) -> bytes:
    text = re.sub(r"([\\,;])", r"\\\1", text).replace("\n", "\\n")
    return CARD.format(key=key, number=number, text=text).encode()


def _read(card: bytes) -> tuple[str, str]:
    """(key, text)"""
    lines = re.sub(rb"\r?\n ", b"", card).decode().splitlines()
    values = {name: value for name, _, value in (line.partition(":") for line in lines)}
    text = re.sub(r"\\(.)", lambda found: ESCAPED.get(found[1], found[1]), values["NOTE"])
    return values["UID"], text


class Vdirsyncer:
    def __init__(self, server: Server, folder: Path, program: Path) -> None:
        self._server = server
        self._folder = folder
        self._program = program
        self._environment = environment(folder / "client-home")
        for device in ("A", "B"):
            self._cards(device).mkdir(parents=True)
            place = folder / device
            config = CONFIG.format(place=place, collection=COLLECTION, url=server.url)
            (place / "config").write_text(config, "utf-8")
            self._run(device, "discover", "facts")

    def hold(self, device: Device, records: Sequence[Record]) -> None:
        for each in records:
            self._file(device, each.key).write_bytes(_card(each.key, each.number, each.text))

    def change(self, device: Device, key: str, text: str) -> None:
        self._file(device, key).write_bytes(_card(key, 0, text))

    def delete(self, device: Device, key: str) -> None:
        self._file(device, key).unlink()

    def sync(self, device: Device) -> None:
        self._run(device, "sync")

    def held(self, device: Device) -> Mapping[str, str]:
        return dict(_read(file.read_bytes()) for file in self._cards(device).glob("*.vcf"))

    def tally(self) -> Tally:
        spent = self._server.spent()
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        return Tally(*spent, ended.ru_utime + ended.ru_stime)

    def _cards(self, device: str) -> Path:
        return self._folder / device / "cards" / COLLECTION

    def _file(self, device: Device, key: str) -> Path:
        return self._cards(device) / f"{key}.vcf"

    def _run(self, device: str, *arguments: str) -> None:
        said = subprocess.run(
            [self._program, "-c", self._folder / device / "config", *arguments],
            input="y\n" * 5, capture_output=True, text=True, env=self._environment,
        )  # fmt: skip
        if said.returncode:
            raise SystemExit(f"vdirsyncer failed:\n{said.stderr[-3000:]}")


@contextmanager
def opened(folder: Path, peers: Path) -> Iterator[System]:
    need(peers, VDIRSYNCER, RADICALE)
    command = (VDIRSYNCER.python(peers), "-m", "syncing.radicale_served", folder / "served")
    with served(command, folder) as server:
        yield Vdirsyncer(server, folder, VDIRSYNCER.program(peers))
