"""Reconciliation of a library with a hosted API. Empty until the sync engine moves in."""
