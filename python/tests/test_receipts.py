"""Receipts: those of the real server, the vectors of the format, and documents that do not hold (macp-2026:14)."""

import base64
import json
import sys

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from handover_macp import (
    DecisionReceipt,
    HandoffSession,
    MacpSdkError,
    MacpSessionError,
    MacpTransportError,
    MacpUnsupportedError,
    ReceiptKeySet,
    build_handoff_policy,
    commitment_hash,
    error_codes,
    new_session_id,
    verify_receipt,
)
from handover_macp._wire import METHODS, core
from handover_macp.receipt.commitment import projection_hash, projection_of

HASH_001 = "sha256:9f58e9d114d11860d48aa2bcb8cda458b9618b1cc8560595a802b68c4af85d41"
HASH_002 = "sha256:7cc490432ad6b25e9c19fc7c3a84f1e33abe497fca1fd5266ff0275db3650f9d"
BASE = {
    "action": "decision.approved",
    "authority_scope": "seam",
    "commitment_id": "c1",
    "configuration_version": "1.0.0",
    "mode_version": "macp.mode.decision.v1",
    "outcome_positive": True,
    "policy_version": "1.0.0",
    "reason": "sealed by seam",
}
SECOND = {**BASE, "commitment_id": "c2", "supersedes": {"session_id": "prior-sess", "commitment_hash": HASH_001}}
EMPTY = {name: False if name == "outcome_positive" else "" for name in BASE}
FIFTH = {
    **BASE,
    "commitment_id": "c5",
    "action": 'decision."appro\\ved"',
    "authority_scope": "café",
    "reason": "ré\tsumé\n— naïve 🜂",
    "outcome_positive": False,
}
JWS = (
    "eyJhbGciOiJFZERTQSIsImtpZCI6ImV4YW1wbGUtMSJ9..ZYdZZzXE60Tf8tcerB76f59c9wR7f10mjp032gK9IG22284kkVMJBbCITtpgfnnEuNSqH"
    "FY9TUaLgAgMFh8PBQ"
)
ATTESTED = {
    "receipt_format": "macp-receipt/1",
    "session_id": "0192f1a4-7c3e-7b2a-9f10-5d2c8e4b6a01",
    "mode": "macp.mode.decision.v1",
    "commitment": SECOND,
    "commitment_hash": HASH_002,
    "semantics_rev": {"implementation": "macp-runtime", "rev": 4},
    "issuer": "runtime:example",
    "issued_at": "2026-10-24T12:00:00Z",
    "attestations": [{"type": "jws", "jws": JWS}],
}
KEYS = ReceiptKeySet.parse(
    json.dumps(
        {
            "keys": [
                {"kty": "RSA", "kid": "other"},
                {"kty": "OKP", "crv": "Ed25519", "kid": "short", "x": "AAAA"},
                {
                    "kty": "OKP",
                    "crv": "Ed25519",
                    "kid": "example-1",
                    "x": "TDVzkxaSf6_Oxu7mmn5TbCkF80s8Ulh33qKQsi0gnZM",
                },
            ]
        }
    )
)


def wire(fields):
    return core("CommitmentPayload")(**fields).SerializeToString()


def check(document, keys=KEYS):
    return verify_receipt(json.dumps(document), keys)


def said(document, keys=KEYS):
    report = check(document, keys)
    return [report.verdict, *(item.status for item in report.attestations)]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (BASE, HASH_001),
        (SECOND, HASH_002),
        (EMPTY, "sha256:3240d1a7adb7bd9420ad5490182227ce699c9e4e465f7934885fe2ded939f32e"),
        (
            {**EMPTY, "supersedes": {"session_id": "", "commitment_hash": ""}},
            "sha256:9776c22ef165f26817f89bb456cf6bc56a659eb1561a576f6ea9a435bd3291d7",
        ),
        (FIFTH, "sha256:03f8ac2b8172958504092ce9fe5154dbcfe300fd30a350453d4e4bd715822ab2"),
    ],
)
def test_the_vectors_of_the_hash(fields, expected):
    assert projection_of(wire(fields)) == fields
    assert projection_hash(fields) == expected


def test_bytes_that_the_hash_does_not_cover():
    plain = wire(BASE)
    for more in (b"\x9a\x06\x01x", b"\x0b\x0c", b"\x08\x01", b"\x42\x01\x01", b"\x0a\x09x", b"\x8a", b"\x0a\x01\xff", b"\x48\x00"):
        assert projection_of(plain + more) is None, more
    reference = b"\x0a\x01s\x12\x01h"
    assert projection_of(plain + bytes((0x4A, len(reference) + 3)) + reference + b"\x1a\x01x") is None
    assert projection_of(plain + bytes((0x4A, len(reference))) + reference)["supersedes"]["session_id"] == "s"
    # Order, repetition and explicit defaults do not matter.
    assert projection_of(b"\x40\x00\x22\x05first" + plain) == BASE
    assert projection_of(wire(EMPTY) + b"\x40\x80\x00") == EMPTY


def test_the_attested_vector():
    assert list(KEYS.keys) == ["example-1"]
    report = check(ATTESTED)
    assert (report.verdict, report.integrity, report.flaw) == ("attested", "match", None)
    assert [(item.type, item.status, item.kid) for item in report.attestations] == [("jws", "valid", "example-1")]
    # Spaces, and the order of members, are not what is signed.
    assert verify_receipt(json.dumps(dict(reversed(ATTESTED.items())), indent=2), KEYS.keys).verdict == "attested"
    assert check({**ATTESTED, "note": "é"}).verdict == "integrity_only"


def headed(header):
    text = base64.urlsafe_b64encode(json.dumps(header).encode()).decode().rstrip("=")
    return text + JWS[JWS.index(".") :]


@pytest.mark.parametrize(
    ("jws", "status"),
    [
        (JWS.replace("..Z", "..Y"), "invalid"),
        (headed({"alg": "ES256", "kid": "example-1"}), "unsupported"),
        (headed({"alg": "none"}), "unsupported"),
        (headed({"alg": "EdDSA"}), "invalid"),
        (headed({"alg": "EdDSA", "kid": "example-1", "crit": ["b64"]}), "invalid"),
        (headed({"kid": "x"}), "invalid"),
        (headed({"alg": "EdDSA", "kid": "nobody"}), "unknown_key"),
        ("", "invalid"),
        ("..", "invalid"),
        (JWS.replace("..", ".e30."), "invalid"),
        (f"{JWS}=", "invalid"),
        (f"{JWS}.", "invalid"),
        (JWS[1:], "invalid"),
        # Other bits where base64 has none: decoders that are not strict read the same signature.
        (f"{JWS[:-1]}R", "invalid"),
        (7, "invalid"),
    ],
)
def test_a_signature_that_does_not_count(jws, status):
    assert said({**ATTESTED, "attestations": [{"type": "jws", "jws": jws}]}) == ["integrity_only", status]


@pytest.mark.parametrize(
    ("header", "status"),
    [({"alg": "EdDSA", "kid": "own"}, "valid"), ({"alg": "EdDSA", "kid": "own", "crit": []}, "invalid")],
)
def test_a_signature_of_ones_own_counts_only_under_the_header_of_the_format(header, status):
    key = Ed25519PrivateKey.generate()
    body = {name: member for name, member in ATTESTED.items() if name != "attestations"}
    body["\U0001f702"], body["\ufb01"] = 1, 2  # In UTF-16 the first comes first, by code points the second.
    text = base64.urlsafe_b64encode(json.dumps(header).encode()).decode().rstrip("=")
    payload = json.dumps(dict(sorted(body.items(), key=lambda item: item[0].encode("utf-16-be"))), ensure_ascii=False, separators=(",", ":"))
    for name in ("commitment", "semantics_rev"):
        ordered = json.dumps(body[name], ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        payload = payload.replace(json.dumps(body[name], ensure_ascii=False, separators=(",", ":")), ordered)
    signed = f"{text}.{base64.urlsafe_b64encode(payload.encode()).decode().rstrip('=')}"
    signature = base64.urlsafe_b64encode(key.sign(signed.encode())).decode().rstrip("=")
    document = {**body, "attestations": [{"type": "jws", "jws": f"{text}..{signature}"}]}
    public = key.public_key().public_bytes_raw()
    assert said(document, {"own": public}) == ["attested" if status == "valid" else "integrity_only", status]


def test_other_attestations():
    vendor = {"type": "vendor", "format": "x", "binds": "receipt", "value": "y"}
    assert said(ATTESTED, {}) == ["integrity_only", "unknown_key"]
    assert said(ATTESTED, {"example-1": b"x" * 32}) == ["integrity_only", "invalid"]
    assert said({**ATTESTED, "attestations": []}) == ["integrity_only"]
    assert said({**ATTESTED, "attestations": [vendor, {}, 1]}) == ["integrity_only", "unsupported", "invalid", "invalid"]
    assert said({**ATTESTED, "attestations": [vendor, *ATTESTED["attestations"]]}) == ["attested", "unsupported", "valid"]


def b64(data):
    return base64.b64encode(data).decode()


@pytest.mark.parametrize(
    ("changes", "integrity"),
    [
        ({"commitment_wire_b64": b64(wire(BASE))}, "mismatch"),
        ({"commitment_wire_b64": b64(wire(SECOND) + b"\x9a\x06\x01x")}, "cannot_verify"),
        ({"commitment_wire_b64": b64(wire(SECOND)) + " "}, "cannot_verify"),
        ({"commitment_wire_b64": "-_"}, "cannot_verify"),
        ({"commitment_hash": HASH_002.upper()}, "mismatch"),
        ({"commitment_hash": HASH_002[7:]}, "mismatch"),
        ({"commitment": {**SECOND, "reason": "x"}}, "mismatch"),
        ({"commitment": None}, "cannot_verify"),
        ({"commitment": {**SECOND, "more": ""}}, "cannot_verify"),
        ({"commitment": {**SECOND, "outcome_positive": "true"}}, "cannot_verify"),
        ({"commitment": {**SECOND, "supersedes": {}}}, "cannot_verify"),
        ({"commitment": {**SECOND, "supersedes": None}}, "cannot_verify"),
        ({"commitment": {key: value for key, value in SECOND.items() if key != "reason"}}, "cannot_verify"),
    ],
)
def test_what_does_not_hold_together_is_not_looked_at_further(changes, integrity):
    report = check({**ATTESTED, **changes})
    assert (report.verdict, report.integrity, report.attestations) == ("unverified", integrity, ())
    assert report.flaw


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {**ATTESTED, "receipt_format": "macp-receipt/2"},
        {**ATTESTED, "session_id": 1},
        {**ATTESTED, "issued_at": "2026-10-24T12:00:00.5Z"},
        {**ATTESTED, "issued_at": "2026-10-24T25:00:00Z"},
        {**ATTESTED, "semantics_rev": {"implementation": "x", "rev": 1.5}},
        {**ATTESTED, "semantics_rev": {"implementation": "x", "rev": 2**53}},
        {**ATTESTED, "semantics_rev": {"implementation": "x", "rev": True}},
        {**ATTESTED, "transcript": {"digest_alg": "x"}},
        {**ATTESTED, "issuer": "runtime:\ud800"},
        {**ATTESTED, "issuer": "example"},
        {**ATTESTED, "attestations": {}},
        {**ATTESTED, "extra": float("nan")},
        {key: value for key, value in ATTESTED.items() if key != "mode"},
    ],
)
def test_what_is_no_receipt_is_refused(document):
    report = check(document)
    assert (report.verdict, report.integrity) == ("refused", None)
    assert report.flaw


def test_texts_that_are_no_receipt():
    twice = json.dumps(ATTESTED).replace('"mode":', '"mode": "another", "mode":', 1)
    deep = json.dumps({**ATTESTED, "more": None}).replace("null", "[" * 900 + "]" * 900)
    for text in ("", "{", "[" * 100_000, twice):
        assert verify_receipt(text, {}).verdict == "refused"
    assert verify_receipt(deep, {}).verdict in ("refused", "integrity_only")
    with pytest.raises(MacpSessionError, match="trusted_keys"):
        verify_receipt(json.dumps(ATTESTED), {"example-1": "text"})
    for parse in (DecisionReceipt.parse, ReceiptKeySet.parse):
        for text in ("[]", "{", "[" * 100_000):
            with pytest.raises(MacpSdkError, match="must be"):
                parse(text)


def test_without_cryptography_a_sentence_names_it(monkeypatch):
    for name in ("cryptography", "cryptography.exceptions"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MacpSdkError, match=r"cryptography: pip install 'handover-macp-sdk\[receipts\]'"):
        check(ATTESTED)
    # What needs no signature needs no package.
    assert check(ATTESTED, {}).verdict == "integrity_only"


def resolved(owner):
    session = HandoffSession(owner)
    session.start(intent="x", participants=["owner-b"], ttl_ms=60_000)
    session.offer("h1", "owner-b", scope="é")
    session.accept_handoff("h1", sender="owner-b")
    session.commit()
    return session


def test_the_receipt_of_a_real_session(owner):
    session = resolved(owner)
    receipt = owner.get_decision_receipt(session.session_id)
    keys = owner.get_receipt_keys()
    assert verify_receipt(receipt, keys).verdict == "attested"
    assert receipt.document["session_id"] == session.session_id
    assert receipt.document["commitment_hash"] == commitment_hash(session.projection.commitment)
    assert owner.get_decision_receipt(session.session_id).text == receipt.text
    changed = receipt.text.replace("owner-b accepted", "owner-c accepted")
    assert changed != receipt.text and verify_receipt(changed, keys).verdict == "unverified"


def test_no_receipt_before_the_commitment(owner):
    session = HandoffSession(owner)
    session.start(intent="x", participants=["owner-b"], ttl_ms=60_000)
    with pytest.raises(MacpTransportError) as raised:
        owner.get_decision_receipt(session.session_id)
    assert raised.value.macp_code == error_codes.RECEIPT_UNAVAILABLE


def test_a_server_without_receipts_is_not_asked(fake, fake_client):
    asked = []
    fake.unary["Initialize"] = lambda request, context: METHODS["Initialize"].response(selected_protocol_version="1.0")
    for name in ("GetDecisionReceipt", "GetReceiptKeys", "WhatIfReplay"):
        fake.unary[name] = lambda request, context: asked.append(request)
    with pytest.raises(MacpUnsupportedError, match="decision_receipt.get_decision_receipt"):
        fake_client.get_decision_receipt(new_session_id())
    with pytest.raises(MacpUnsupportedError, match="decision_receipt.get_decision_receipt"):
        fake_client.get_receipt_keys()
    with pytest.raises(MacpUnsupportedError, match="policy_registry.what_if_replay"):
        fake_client.what_if_replay(new_session_id(), build_handoff_policy("p", ""))
    assert asked == []


def test_what_a_server_can_do_is_asked_once(fake, fake_client):
    asked = []

    def initialize(request, context):
        asked.append(request)
        return METHODS["Initialize"].response(capabilities={"decision_receipt": {"get_decision_receipt": True}})

    fake.unary["Initialize"] = initialize
    fake.unary["GetReceiptKeys"] = lambda request, context: METHODS["GetReceiptKeys"].response(jwks_json='{"keys":[]}')
    for _ in range(3):
        assert fake_client.get_receipt_keys().keys == {}
    assert len(asked) == 1
