"""Looks a person's library over, its files and its setting up, and mends what can be mended safely.

    patient.py   what is looked at, and how it is opened
    examine.py   all findings, in the order one reads them
    library.py   what the tables say, in sentences
    places.py    files and folders: modes, leftovers, room
    holders.py   which programs have the library open
    setting.py   settings, model, the machine
    mending.py   what `--fix` does
    report.py    the machine, for a bug report

Refuses to change anything while looking: the library is opened read-only, and the model is tried
without being written to the cache.
"""

from localmem.doctor.examine import examine
from localmem.doctor.mending import Mended, mend
from localmem.doctor.patient import Patient

__all__ = ["Mended", "Patient", "examine", "mend"]
