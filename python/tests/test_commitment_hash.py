"""The hash of a Commitment, pinned; test/python/interop.test.ts holds it equal to the TypeScript SDK's."""

from handover_macp import CommitmentRecord, CommitmentRef, commitment_hash

PLAIN = CommitmentRecord(
    commitment_id="c-1",
    action="handoff.accepted",
    authority_scope="\u00e9\u2028\x7f\"\\\n\x01",
    reason="owner-b \U0001f44d",
    outcome_positive=True,
    mode_version="1.0.0",
    configuration_version="config.default",
    sender="not part of it",
)


def test_pinned():
    assert commitment_hash(PLAIN) == "sha256:3579c61c908c39e11b1e9decf04ca0689413982f565373433ed99b1e59d00721"


def test_pinned_with_supersedes():
    fields = {**vars(PLAIN), "supersedes": CommitmentRef("s", "sha256:" + "0" * 64)}
    assert commitment_hash(CommitmentRecord(**fields)) == "sha256:c9afaf03db8e3b84ab9ab36a2b29e68c45f826cf1755a80ef63fc8934851bd3b"
