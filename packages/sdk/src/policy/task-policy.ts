import { TASK_MODE } from '@handover/core';
import type { PolicyDescriptor } from '../client/types.js';
import { block, blocksIn, buildPolicy, commitmentBlock, type PolicyCommitmentRules } from './build-policy.js';

/** Whether work can be given back, and whether it must come with an output. */
export interface TaskPolicyRules {
  /** Whether the assignee may give the task back, for somebody else to take. */
  readonly assignment?: { readonly allowReassignmentOnReject?: boolean };
  /** Whether a positive Commitment needs an output. */
  readonly completion?: { readonly requireOutput?: boolean };
  /** Who may commit. */
  readonly commitment?: PolicyCommitmentRules;
}

/** A policy for Task sessions, ready for `registerPolicy`; rules that contradict themselves are refused here. */
export function buildTaskPolicy(
  policyId: string,
  description: string,
  rules: TaskPolicyRules = {},
): PolicyDescriptor {
  const { assignment = {}, completion = {}, commitment = {} } = blocksIn(rules);
  return buildPolicy(TASK_MODE, policyId, description, {
    assignment: block({ allow_reassignment_on_reject: assignment.allowReassignmentOnReject }),
    completion: block({ require_output: completion.requireOutput }),
    commitment: commitmentBlock(commitment),
  });
}
