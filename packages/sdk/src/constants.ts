/** Names and versions that a caller may want to spell out. */
import { HANDOFF_MODE } from '@handover/core';

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
/** Decision Mode; named here for lists of modes, this package has no session class for it. */
export const MODE_DECISION = 'macp.mode.decision.v1';
/** Proposal Mode; named here for lists of modes, this package has no session class for it. */
export const MODE_PROPOSAL = 'macp.mode.proposal.v1';
/** Task Mode; named here for lists of modes, this package has no session class for it. */
export const MODE_TASK = 'macp.mode.task.v1';
/** Quorum Mode; named here for lists of modes, this package has no session class for it. */
export const MODE_QUORUM = 'macp.mode.quorum.v1';
/** The multi-round extension mode, where a server has registered it. */
export const MODE_MULTI_ROUND = 'ext.multi_round.v1';

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
