"""Where the peers are installed: one venv each under a folder, made by pip from package names."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

SYSTEM = Path("/usr/bin/python3")


@dataclass(frozen=True, slots=True)
class Package:
    name: str
    """As it is called in the tables; on PyPI as well."""
    folder: str
    requirements: tuple[str, ...]
    script: str = ""
    """Of this package; "" for an app that is only started."""
    maker: Path = Path(sys.executable)
    """The interpreter its venv is made with."""

    def python(self, peers: Path) -> Path:
        return peers / self.folder / "bin" / "python"

    def program(self, peers: Path) -> Path:
        return peers / self.folder / "bin" / self.name

    def version(self, peers: Path) -> str:
        """ "" when it is not installed."""
        asked = f"import importlib.metadata as m, platform as p; print(m.version('{self.name}'), "
        try:
            said = subprocess.run(
                [self.python(peers), "-c", f"{asked} p.python_version())"],
                capture_output=True,
                text=True,
            )
        except OSError:
            return ""
        return "{} (Python {})".format(*said.stdout.split()) if said.returncode == 0 else ""

    def how(self, peers: Path) -> str:
        """The commands that install it."""
        wanted = " ".join(f"'{each}'" if "<" in each else each for each in self.requirements)
        place = peers / self.folder
        return f"{self.maker} -m venv {place} && {place}/bin/pip install {wanted}"

    def install(self, peers: Path) -> None:
        place = peers / self.folder
        subprocess.run([self.maker, "-m", "venv", place], check=True)
        subprocess.run([place / "bin" / "pip", "install", "-q", *self.requirements], check=True)


CHROMA = Package("chromadb", "chroma", ("chromadb",), "chroma")
LANCE = Package("lancedb", "lance", ("lancedb",), "lance")
# Its sqlite3 must load extensions, which Debian's interpreter can and pyenv's cannot.
MEMORY_SERVICE = Package(
    "mcp-memory-service", "mcp", ("mcp-memory-service",), "memory_service", SYSTEM
)
# With tree-sitter 0.26 its Textual dies of a segmentation fault.
POSTING = Package("posting", "posting", ("posting", "tree-sitter<0.26"))
HARLEQUIN = Package("harlequin", "harlequin", ("harlequin",))
STORES = (CHROMA, LANCE, MEMORY_SERVICE)
APPS = (POSTING, HARLEQUIN)
