"""The code of the client's README, as its package ships it; only addresses and secrets are this server's."""

from __future__ import annotations

import re
from importlib.metadata import metadata

from conftest import TARGET

README = metadata("macp-sdk-python").get_payload()
OURS = {
    "127.0.0.1:50051": TARGET,
    "runtime.example.com:50051": TARGET,
    "tok-coord": "coordinator-token",
}


BLOCKS = [text for _, text in re.findall(r"^```(\w*)\n(.*?)^```$", README, re.S | re.M)]


def block(words: str) -> str:
    """The one block of the README with these words."""
    (text,) = [one for one in BLOCKS if words in one]
    for theirs, ours in OURS.items():
        text = text.replace(theirs, ours)
    return text


def run(text: str, names: dict[str, object]) -> None:
    """Runs it with these names, and leaves there what it defines."""
    exec(compile(text, "README", "exec"), names)
