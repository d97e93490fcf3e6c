"""Every public symbol says in a line or two what it is; and both clients offer the same."""

import ast
import importlib
import inspect
import pkgutil
import textwrap
from dataclasses import dataclass
from pathlib import Path

import handover_macp
import handover_macp.aio
import handover_macp.handoff
import pytest
from handover_macp import MacpClient, MacpStream, Watcher
from handover_macp.aio import AsyncMacpClient, AsyncMacpStream, AsyncWatcher

MODULES = [
    info.name
    for info in pkgutil.walk_packages(handover_macp.__path__, "handover_macp.")
    if not any(part.startswith("_") for part in info.name.split("."))
]
MAX_LINES = 5
SESSIONS = [name for name in handover_macp.__all__ if name.endswith("Session")]


def public_symbols(module):
    """Functions and classes that a module defines under a public name."""
    for name, value in vars(module).items():
        if name.startswith("_") or getattr(value, "__module__", None) != module.__name__:
            continue
        if inspect.isclass(value) or inspect.isfunction(value):
            yield name, value


def shown_classes():
    """Every class of ours that a program is shown: those of the lists of exports, and what they inherit from."""
    modules = [importlib.import_module(name) for name in ("handover_macp", *MODULES)]
    listed = [getattr(module, name) for module in modules for name in getattr(module, "__all__", ())]
    classes = {base for value in listed if inspect.isclass(value) for base in value.__mro__}
    return sorted((cls for cls in classes if cls.__module__.startswith("handover_macp")), key=lambda cls: cls.__qualname__)


def undescribed_fields(cls):
    """Fields without a line behind them, and without a word of them in the class's own description."""
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
    for here, after in zip(node.body, [*node.body[1:], None]):
        if not isinstance(here, ast.AnnAssign) or here.target.id.startswith("_"):
            continue
        described = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and short(str(after.value.value))
        if not described and f"`{here.target.id}`" not in (own_doc(cls) or ""):
            yield here.target.id


def undescribed(cls):
    """Public members, inherited ones included, without a short description."""
    for name, value in inspect.getmembers_static(cls) if hasattr(inspect, "getmembers_static") else vars(cls).items():
        target = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
        ours = inspect.isfunction(target) or isinstance(target, property)
        if ours and not name.startswith("_") and not short(target.__doc__):
            yield name


def short(doc):
    return bool(doc and doc.strip()) and len(doc.strip().splitlines()) <= MAX_LINES


def own_doc(value):
    """The docstring as written; a dataclass without one gets its signature, which says nothing."""
    return None if (value.__doc__ or "").startswith(f"{value.__name__}(") else value.__doc__


def flaws(module):
    found = [] if module.__doc__ else [module.__name__]
    for name, value in public_symbols(module):
        if not short(own_doc(value)):
            found.append(f"{module.__name__}.{name}")
        if inspect.isclass(value):
            found.extend(f"{module.__name__}.{name}.{member}" for member in undescribed(value))
    return found


@pytest.mark.parametrize("name", ["handover_macp", *MODULES])
def test_everything_public_is_described(name):
    assert flaws(importlib.import_module(name)) == []


def test_the_check_sees_what_is_missing():
    class Bare:
        def method(self): ...

    assert not short(own_doc(Bare)) and list(undescribed(Bare)) == ["method"]


def test_every_field_is_described():
    classes = shown_classes()
    assert {"Ack", "OpenOffer", "SessionMetadata", "WorkerOffer"} < {cls.__name__ for cls in classes}
    assert [f"{cls.__qualname__}.{field}" for cls in classes for field in undescribed_fields(cls)] == []


def test_the_check_sees_a_field_that_is_not_described():
    @dataclass
    class Bare:
        """`told` is a field, too."""

        told: str
        described: str
        """What it is."""
        other: str
        _hidden: str

    assert list(undescribed_fields(Bare)) == ["other"]


@pytest.mark.parametrize("module", [handover_macp, handover_macp.aio, handover_macp.handoff])
def test_the_list_of_exports_is_the_surface(module):
    assert len(set(module.__all__)) == len(module.__all__)
    for name in module.__all__:
        assert getattr(module, name) is not None


@pytest.mark.parametrize("name", ["constants.py", "error_codes.py"])
def test_constants_are_described(name):
    tree = ast.parse((Path(handover_macp.__file__).parent / name).read_text())
    for here, after in zip(tree.body[1:], tree.body[2:] + [None]):
        if isinstance(here, ast.Assign):
            assert isinstance(after, ast.Expr), f"{ast.unparse(here)} is not described"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (MacpClient, AsyncMacpClient),
        *((getattr(handover_macp, name), getattr(handover_macp.aio, f"Async{name}")) for name in SESSIONS),
        (MacpStream, AsyncMacpStream),
        (Watcher, AsyncWatcher),
    ],
)
def test_both_versions_offer_the_same(one, other):
    def surface(cls):
        members = {name: value for name, value in inspect.getmembers(cls) if not name.startswith("_")}
        return {
            name: list(inspect.signature(value).parameters) if callable(value) else "property"
            for name, value in members.items()
        }

    assert SESSIONS and surface(one) == surface(other)
    parameters = [list(inspect.signature(cls.__init__).parameters) for cls in (one, other)]
    assert parameters[0] == parameters[1]
