"""A server over HTTP: `HttpRemote` asks what `sync.messages` names, of the documented memory API
and of what our own server has beside it.
"""

from __future__ import annotations

from sync.http_remote.remote import HttpRemote as HttpRemote

__all__ = ["HttpRemote"]
