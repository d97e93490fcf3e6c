"""`macp_sdk` is `handover_macp` under another name (console:P9)."""

import importlib
import pkgutil
import sys

import handover_macp
import pytest

MODULES = sorted(
    info.name
    for info in pkgutil.iter_modules(handover_macp.__path__, "handover_macp.")
    if not info.name.split(".")[1].startswith("_")
)


def public_names(module):
    return getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]


@pytest.mark.parametrize("name", ["handover_macp", *MODULES])
def test_every_public_module_has_its_twin_with_the_same_things(name):
    ours = importlib.import_module(name)
    alias = importlib.import_module(name.replace("handover_macp", "macp_sdk", 1))
    names = public_names(ours)
    assert names
    for symbol in names:
        assert getattr(alias, symbol) is getattr(ours, symbol), symbol


def test_the_alias_refuses_to_share_its_name(monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "macp_sdk"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr("handover_macp._alias.distribution", lambda name: name)
    with pytest.raises(ImportError, match="handover-macp-sdk and macp-sdk-python: uninstall one, or import handover_macp"):
        importlib.import_module("macp_sdk.handoff")
