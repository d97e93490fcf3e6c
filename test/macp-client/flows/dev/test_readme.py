"""The README of the client, in dev mode: its quick start, the same with asyncio, and a receipt."""

from __future__ import annotations

from base64 import urlsafe_b64encode

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from documented import block, run
from support import RESOLVED


def test_the_quick_start_and_a_receipt_of_it() -> None:
    names: dict = {}
    run(block('AuthConfig.for_dev_agent("coordinator"),\n)\n'), names)
    run(block("session = DecisionSession(client)\nsession.start("), names)
    with names["client"]:
        session = names["session"]
        assert names["winner"] == "p1"
        assert session.metadata().metadata.state == RESOLVED
    key = Ed25519PrivateKey.generate()
    public_key = urlsafe_b64encode(key.public_key().public_bytes_raw()).rstrip(b"=").decode()
    names |= {
        "commitment": session.projection.commitment,
        "seed": key.private_bytes_raw(),
        "public_key_x": public_key,
    }
    run(block("build_receipt("), names)
    assert names["result"] == {"integrity": "match", "attestations": ["valid"], "verdict": "attested"}


def test_the_same_with_asyncio(capsys: pytest.CaptureFixture[str]) -> None:
    run(block("asyncio.run(main())"), {})
    assert capsys.readouterr().out == block("state: SESSION_STATE_RESOLVED")
