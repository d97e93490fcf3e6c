"""The builder of Task policies. What is left out has the protocol's default."""

from __future__ import annotations

from ..constants import MODE_TASK
from ..models import PolicyDescriptor
from .build import block, check_flag, descriptor
from .commitment import CommitmentRules, commitment_block


def build_task_policy(
    policy_id: str,
    description: str,
    *,
    allow_reassignment_on_reject: bool | None = None,
    require_output: bool | None = None,
    commitment: CommitmentRules | None = None,
) -> PolicyDescriptor:
    """A policy for Task sessions, ready for `register_policy`.

    With `allow_reassignment_on_reject` the assignee may give the task back; with `require_output` a positive Commitment
    needs an output.
    """
    reassignment = check_flag("allow_reassignment_on_reject", allow_reassignment_on_reject)
    blocks = {
        "assignment": block(allow_reassignment_on_reject=reassignment),
        "completion": block(require_output=check_flag("require_output", require_output)),
        "commitment": commitment_block(commitment),
    }
    return descriptor(MODE_TASK, policy_id, description, blocks)
