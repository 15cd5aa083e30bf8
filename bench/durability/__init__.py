"""What `bench/crash.py`, `bench/erase.py` and their tests share: a library that is turned over."""
