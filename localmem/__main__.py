"""The `localmem` script: argv to one surface. `--version` imports nothing else."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the surface that argv names and exit with its code."""
    arguments = sys.argv[1:]
    if arguments in (["--version"], ["-V"]):
        from localmem import __version__

        sys.stdout.write(f"localmem {__version__}\n")
        return
    from localmem.cli.main import run

    sys.exit(run(arguments))


if __name__ == "__main__":
    main()
