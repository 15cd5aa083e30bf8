"""Where the peers are installed: a venv or a folder of npm each, made from package names."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from peers.venvs import Package

from syncing.protocol import NotThere


@dataclass(frozen=True, slots=True)
class NodePackage:
    name: str
    """On npm."""
    folder: str
    requirements: tuple[str, ...]

    def version(self, peers: Path) -> str:
        """ "" when it is not installed."""
        try:
            said = json.loads(self._file(peers).read_text("utf-8"))
        except OSError:
            return ""
        return f"{said['version']} (Node)"

    def how(self, peers: Path) -> str:
        """The command that installs it."""
        return f"npm install --prefix {peers / self.folder} {' '.join(self.requirements)}"

    def install(self, peers: Path) -> None:
        place = peers / self.folder
        place.mkdir(parents=True, exist_ok=True)
        quiet = ("--no-audit", "--no-fund", "--loglevel=error")
        command = ("npm", "install", "--prefix", str(place), *quiet, *self.requirements)
        subprocess.run(command, cwd=place, check=True)

    def _file(self, peers: Path) -> Path:
        return peers / self.folder / "node_modules" / self.name / "package.json"


Installable = Package | NodePackage


def need(peers: Path, *packages: Installable) -> None:
    for package in packages:
        if not package.version(peers):
            raise NotThere(f"{package.name} is not installed: {package.how(peers)}")


def node() -> str:
    found = shutil.which("node")
    if found is None:
        raise NotThere("there is no node on the path: install Node 20 or newer")
    return found
