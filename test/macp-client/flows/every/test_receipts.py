"""Receipts of the protocol: ours before the client's verifier, the client's before `handover verify`."""

from __future__ import annotations

import base64
import copy
import json
import os
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from macp_sdk import (
    DecisionSession,
    HandoffSession,
    ProposalSession,
    ReceiptSigner,
    build_commitment_payload,
    build_commitment_ref,
    build_envelope,
    build_receipt,
    commitment_from_projection,
    commitment_hash,
    serialize_message,
    trusted_keys_from_jwks,
    verify_receipt,
)
from macp_sdk.base_session import BaseSession

from conftest import Agent
from resolved import WAYS, opened, resolved
from support import status_of

HANDOVER = json.loads(os.environ["HANDOVER_COMMAND"])


def handover_verify(folder: Path, receipt: dict, keys: dict) -> tuple[int, dict]:
    """What `handover verify` says of a receipt, given the key set of its issuer."""
    (folder / "receipt.json").write_text(json.dumps(receipt))
    (folder / "keys.json").write_text(json.dumps(keys))
    arguments = ["verify", "receipt.json", "--key", "keys.json", "--json"]
    done = subprocess.run([*HANDOVER, *arguments], cwd=folder, capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize("kind", WAYS)
def test_ours_is_attested(agent: Agent, kind: type[BaseSession], tmp_path: Path) -> None:
    session = resolved(agent, kind)
    reader = agent("alice")
    capabilities = reader.initialize().capabilities.decision_receipt
    assert capabilities.get_decision_receipt and capabilities.signed
    receipt, raw = (found := reader.get_decision_receipt(session.session_id)).receipt, found.raw
    jwks = reader.get_receipt_keys()
    trusted = trusted_keys_from_jwks(jwks)
    assert verify_receipt(receipt, trusted) == {
        "integrity": "match",
        "attestations": ["valid"],
        "verdict": "attested",
    }
    commitment = session.projection.commitment
    assert commitment_from_projection(receipt["commitment"]) == commitment
    assert receipt["commitment_hash"] == commitment_hash(commitment)
    assert base64.b64decode(receipt["commitment_wire_b64"]) == session.projection.transcript[-1].payload
    assert (receipt["session_id"], receipt["mode"]) == (session.session_id, kind.MODE)
    # The same bytes for everybody, whenever asked.
    assert agent("coordinator").get_decision_receipt(session.session_id).raw == raw
    assert verify_receipt(receipt, {})["verdict"] == "integrity_only"
    code, report = handover_verify(tmp_path, receipt, jwks)
    assert (code, report["verdict"]) == (0, "attested")


def test_one_commitment_supersedes_another(agent: Agent) -> None:
    first, second = resolved(agent, DecisionSession), opened(agent, DecisionSession)
    reference = build_commitment_ref(
        session_id=first.session_id, commitment_hash=commitment_hash(first.projection.commitment)
    )
    fields = dict(action="decision.selected", authority_scope="all", reason="on second thoughts")
    commitment = build_commitment_payload(**fields, supersedes=reference)
    envelope = build_envelope(
        mode=second.MODE,
        message_type="Commitment",
        session_id=second.session_id,
        sender="coordinator",
        payload=serialize_message(commitment),
    )
    assert second.client.send(envelope).ok
    reader = agent("alice")
    receipt = reader.get_decision_receipt(second.session_id).receipt
    assert commitment_from_projection(receipt["commitment"]) == commitment
    trusted = trusted_keys_from_jwks(reader.get_receipt_keys())
    assert verify_receipt(receipt, trusted)["verdict"] == "attested"


def test_changed_afterwards_it_is_refused(agent: Agent, tmp_path: Path) -> None:
    session = resolved(agent, DecisionSession)
    reader = agent("alice")
    receipt = reader.get_decision_receipt(session.session_id).receipt
    jwks = reader.get_receipt_keys()
    trusted = trusted_keys_from_jwks(jwks)

    def changed(**members: object) -> dict:
        return {**copy.deepcopy(receipt), **members}

    other = {**receipt["commitment"], "reason": "another"}
    forged = commitment_hash(commitment_from_projection(other))
    for tampered, integrity, verdict in [
        (changed(commitment=other), "mismatch", "unverified"),
        (changed(commitment=other, commitment_hash=forged), "mismatch", "unverified"),
        (changed(session_id="another"), "match", "integrity_only"),
        (changed(issued_at="2026-01-01T00:00:00Z"), "match", "integrity_only"),
        (changed(receipt_format="macp-receipt/2"), None, "refused"),
    ]:
        report = verify_receipt(tampered, trusted)
        assert (report["integrity"], report["verdict"]) == (integrity, verdict)
        code, ours = handover_verify(tmp_path, tampered, jwks)
        assert code != 0
        assert (ours["integrity"], ours["verdict"]) == (integrity, verdict)


def test_theirs_is_attested(agent: Agent, tmp_path: Path) -> None:
    session = resolved(agent, HandoffSession)
    key = Ed25519PrivateKey.generate()
    commitment = session.projection.commitment
    receipt = build_receipt(
        commitment,
        session_id=session.session_id,
        mode=session.MODE,
        issuer="runtime:theirs",
        issued_at="2026-10-24T12:00:00Z",
        semantics_rev={"implementation": "macp-runtime", "rev": 4},
        transcript={"digest_alg": "sha256", "digest": "00ff", "message_count": 4},
        commitment_wire=serialize_message(commitment),
        signer=ReceiptSigner("k ü1", private_key=key.private_bytes_raw()),
    )
    x = base64.urlsafe_b64encode(key.public_key().public_bytes_raw()).rstrip(b"=").decode()
    jwks = {"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "k ü1", "x": x, "alg": "EdDSA", "use": "sig"}]}
    assert verify_receipt(receipt, trusted_keys_from_jwks(jwks))["verdict"] == "attested"
    code, report = handover_verify(tmp_path, receipt, jwks)
    assert (code, report["verdict"], report["integrity"]) == (0, "attested", "match")
    code, report = handover_verify(tmp_path, {**receipt, "issuer": "runtime:mine"}, jwks)
    assert code != 0 and report["verdict"] == "integrity_only"


def test_no_receipt_before_the_end_nor_for_outsiders(agent: Agent) -> None:
    session = opened(agent, ProposalSession)

    def refused(name: str, session_id: str) -> tuple[str, str]:
        return status_of(lambda: agent(name).get_decision_receipt(session_id))

    assert refused("alice", session.session_id) == ("FAILED_PRECONDITION", "RECEIPT_UNAVAILABLE")
    assert refused("dave", session.session_id) == ("PERMISSION_DENIED", "FORBIDDEN")
    assert refused("alice", "0" * 22) == ("NOT_FOUND", "SESSION_NOT_FOUND")
    session.cancel(reason="not wanted")
    assert refused("alice", session.session_id) == ("FAILED_PRECONDITION", "RECEIPT_UNAVAILABLE")
