"""Reading documents that came from elsewhere, strictly: a flaw is named by its path."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

_LARGEST = 2**53 - 1
_SECONDS = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")

Check = Callable[[Any, str], None]


class Unreadable(ValueError):
    """A flaw, with its path; it never leaves this package."""


def parse_json(text: str) -> Any:
    """JSON with one reading, as the other SDK takes it: whole numbers in one spelling, no member twice, no NaN."""
    return json.loads(
        text, parse_int=_whole, parse_float=_no_fraction, parse_constant=_no_constant, object_pairs_hook=_once
    )


def _once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of a member that is there twice one reader takes the first and another the last."""
    found = dict(members)
    if len(found) < len(members):
        raise Unreadable("a member is there twice")
    return found


def _whole(text: str) -> int:
    if text == "-0":
        raise Unreadable("-0 is another spelling of 0")
    return int(text)


def _no_fraction(text: str) -> Any:
    raise Unreadable(f"{text[:40]} is not spelled as a whole number")


def _no_constant(name: str) -> Any:
    raise Unreadable(f"{name} is no JSON")


def canonical_json(value: Any) -> str:
    """The RFC 8785 form of what `check_canonical` lets pass: members in the order of their UTF-16 code units."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{_text(name)}:{canonical_json(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical_json(item) for item in value) + "]"
    return _text(value)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def check_canonical(value: Any, path: str = "receipt") -> None:
    """RFC 8785 has a form for these values only."""
    if isinstance(value, float) or (isinstance(value, int) and abs(value) > _LARGEST):
        raise Unreadable(f"{path} must be a whole number within 2^53-1")
    if isinstance(value, str) and any("\ud800" <= char <= "\udfff" for char in value):
        raise Unreadable(f"{path} has half of a surrogate pair")
    if isinstance(value, list):
        for place, item in enumerate(value):
            check_canonical(item, f"{path}[{place}]")
    elif isinstance(value, dict):
        for name, member in value.items():
            check_canonical(name, path)
            check_canonical(member, f"{path}.{name}")


def text(value: Any, path: str) -> None:
    """A text."""
    if not isinstance(value, str):
        raise Unreadable(f"{path} must be text")


def flag(value: Any, path: str) -> None:
    """True or false."""
    if not isinstance(value, bool):
        raise Unreadable(f"{path} must be true or false")


def whole(value: Any, path: str) -> None:
    """A whole number, 0 or more."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise Unreadable(f"{path} must be a whole number, 0 or more")


def listed(value: Any, path: str) -> None:
    """A list."""
    if not isinstance(value, list):
        raise Unreadable(f"{path} must be a list")


def anything(value: Any, path: str) -> None:
    """Judged by itself, elsewhere."""


def whole_seconds(value: Any, path: str) -> None:
    """A time of day in UTC without fractions."""
    problem = f"{path} must be a time in whole seconds, such as 2026-10-24T12:00:00Z"
    if not isinstance(value, str) or not _SECONDS.fullmatch(value):
        raise Unreadable(problem)
    try:
        datetime.strptime(value, "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        raise Unreadable(problem) from None


def matching(pattern: str, what: str) -> Check:
    """A text of a form."""

    def check(value: Any, path: str) -> None:
        if not isinstance(value, str) or not re.fullmatch(pattern, value, re.DOTALL):
            raise Unreadable(f"{path} must be {what}")

    return check


def shape(required: Mapping[str, Check], optional: Mapping[str, Check], closed: bool = True) -> Check:
    """An object with these members and, unless it is open, no others."""

    def check(value: Any, path: str) -> None:
        if not isinstance(value, dict):
            raise Unreadable(f"{path} must be an object")
        for name, member in value.items():
            known = required.get(name) or optional.get(name)
            if known is not None:
                known(member, f"{path}.{name}")
            elif closed:
                raise Unreadable(f"{path}.{name} is unknown")
        missing = next((name for name in required if name not in value), None)
        if missing is not None:
            raise Unreadable(f"{path}.{missing} is missing")

    return check
