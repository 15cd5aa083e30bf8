"""The sync code against a server of lies, losses and crashes, one seed a run (sync.md 3.2)."""
