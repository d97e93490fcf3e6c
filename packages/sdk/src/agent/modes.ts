import type { MacpClient } from '../client/client.js';
import {
  MODE_DECISION,
  MODE_HANDOFF,
  MODE_MULTI_ROUND,
  MODE_PROPOSAL,
  MODE_QUORUM,
  MODE_TASK,
} from '../constants.js';
import { DecisionSession } from '../decision/session.js';
import { MacpSessionError } from '../errors.js';
import { HandoffSession } from '../handoff/session.js';
import { MultiRoundSession } from '../multi-round/session.js';
import { ProposalSession } from '../proposal/session.js';
import { QuorumSession } from '../quorum/session.js';
import type { SessionOptions } from '../session/session.js';
import { TaskSession } from '../task/session.js';

/** The session of each mode in which an agent can take part. */
export interface SessionsByMode {
  readonly [MODE_DECISION]: DecisionSession;
  readonly [MODE_HANDOFF]: HandoffSession;
  readonly [MODE_MULTI_ROUND]: MultiRoundSession;
  readonly [MODE_PROPOSAL]: ProposalSession;
  readonly [MODE_QUORUM]: QuorumSession;
  readonly [MODE_TASK]: TaskSession;
}

/** A mode in which an agent can take part. */
export type AgentMode = keyof SessionsByMode;
/** Handoff Mode, which an agent speaks unless told. */
export type HandoffModeName = typeof MODE_HANDOFF;

type Opens = {
  readonly [M in AgentMode]: new (
    client: MacpClient,
    options: SessionOptions,
  ) => SessionsByMode[M];
};

const OPENS: Opens = {
  [MODE_DECISION]: DecisionSession,
  [MODE_HANDOFF]: HandoffSession,
  [MODE_MULTI_ROUND]: MultiRoundSession,
  [MODE_PROPOSAL]: ProposalSession,
  [MODE_QUORUM]: QuorumSession,
  [MODE_TASK]: TaskSession,
};

export function validateMode(mode: string): AgentMode {
  if (Object.hasOwn(OPENS, mode)) return mode as AgentMode;
  throw new MacpSessionError(`mode must be one of ${Object.keys(OPENS).join(', ')}`, 'mode');
}

export function openSession<M extends AgentMode>(
  mode: M,
  client: MacpClient,
  options: SessionOptions,
): SessionsByMode[M] {
  return new OPENS[mode](client, options);
}
