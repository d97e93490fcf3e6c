/** Names and versions that a caller may want to spell out. */
import {
  DECISION_MODE,
  HANDOFF_MODE,
  MULTI_ROUND_MODE,
  PROPOSAL_MODE,
  QUORUM_MODE,
  TASK_MODE,
} from '@handover/core';

export { MAX_PARTICIPANTS, MAX_TTL_MS } from '@handover/core';

/** The version of this package. */
export const VERSION = '0.1.0';

/** The mode version of every standard mode. */
export const DEFAULT_MODE_VERSION = '1.0.0';
/** The configuration version that a session is bound to unless another is named. */
export const DEFAULT_CONFIGURATION_VERSION = 'config.default';
/** The policy that a session is bound to unless another is named. */
export const DEFAULT_POLICY_VERSION = 'policy.default';

/** Handoff Mode: transfer of responsibility to a named target. */
export const MODE_HANDOFF = HANDOFF_MODE;
/** Decision Mode: options, evaluations, objections and votes. */
export const MODE_DECISION = DECISION_MODE;
/** Proposal Mode: peers agree on a proposal. */
export const MODE_PROPOSAL = PROPOSAL_MODE;
/** Task Mode: one task, one assignee, one report. */
export const MODE_TASK = TASK_MODE;
/** Quorum Mode: an action needs a number of approvals. */
export const MODE_QUORUM = QUORUM_MODE;
/** The multi-round extension mode: values, round after round, until all are equal. */
export const MODE_MULTI_ROUND = MULTI_ROUND_MODE;

/** The five modes that the protocol itself defines. */
export const STANDARD_MODES: readonly string[] = [
  MODE_DECISION,
  MODE_PROPOSAL,
  MODE_TASK,
  MODE_HANDOFF,
  MODE_QUORUM,
];

/** The extensions key under which `start({ context })` stores the context that the session is frozen on. */
export const CONTEXT_EXTENSION_KEY = 'context';
