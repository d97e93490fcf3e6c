/** What would have come of a session under another policy, in this package's types. */
import type { CommitmentPayload } from '@handover/core';
import { type pb, SESSION_STATES, type SessionStateName } from '@handover/wire';
import { codec } from '../codec.js';
import { type PolicyDenial, readDetails } from '../refusal-details.js';

/** What became of one message in one of the two replays. */
export interface WhatIfEntryOutcome {
  /** Whether it was applied, came after the end, was refused, or had no session to go to. */
  readonly kind: (typeof KINDS)[number];
  /** The session's state after it. */
  readonly state: SessionStateName;
  /** Empty unless it was refused. */
  readonly errorCode: string;
  /** Why the policy said no, when it did. */
  readonly denials: readonly PolicyDenial[];
}

/** One message of the history. */
export interface WhatIfEntry {
  /** Its place, from 0. */
  readonly historyIndex: number;
  /** Which message. */
  readonly messageId: string;
  /** What was said. */
  readonly messageType: string;
  /** What became of it under the session's own policy. */
  readonly recorded: WhatIfEntryOutcome | undefined;
  /** What would have become of it under the other one. */
  readonly candidate: WhatIfEntryOutcome | undefined;
}

/** How a replay ended. */
export interface WhatIfOutcome {
  /** How the session stood at the end. */
  readonly state: SessionStateName;
  /** The Commitment that resolved the session there. */
  readonly commitment: CommitmentPayload | undefined;
  /** The message that resolved it; empty when none did. */
  readonly resolvedByMessageId: string;
}

/** The replay of a history under the policy that it had, and under another one. */
export interface WhatIfResult {
  /** The policy that was tried. */
  readonly candidatePolicyId: string;
  /** The policy that the session has. */
  readonly recordedPolicyId: string;
  /** How it ended under its own policy. */
  readonly recorded: WhatIfOutcome | undefined;
  /** How it would have ended. */
  readonly candidate: WhatIfOutcome | undefined;
  /** The first message on which the two differ; undefined when they agree everywhere. */
  readonly firstDivergence: number | undefined;
  /** What the candidate denied, with its reasons. */
  readonly denials: readonly {
    readonly historyIndex: number;
    readonly messageId: string;
    readonly denials: readonly PolicyDenial[];
  }[];
  /** Message by message, in order. */
  readonly entries: readonly WhatIfEntry[];
}

const KINDS = ['unspecified', 'applied', 'not_open', 'refused', 'no_session'] as const;

export function toWhatIf(reply: pb.WhatIfReplayResponse): WhatIfResult {
  const { candidatePolicyId, recordedPolicyId, firstDivergence } = reply;
  return {
    candidatePolicyId,
    recordedPolicyId,
    recorded: reply.recorded && toOutcome(reply.recorded),
    candidate: reply.candidate && toOutcome(reply.candidate),
    firstDivergence: firstDivergence === undefined ? undefined : Number(firstDivergence),
    denials: reply.denials.map(({ historyIndex, messageId, details }) => {
      const { denials } = readDetails(details);
      return { historyIndex: Number(historyIndex), messageId, denials };
    }),
    entries: reply.entries.map(({ historyIndex, messageId, messageType, recorded, candidate }) => ({
      historyIndex: Number(historyIndex),
      messageId,
      messageType,
      recorded: recorded && toEntryOutcome(recorded),
      candidate: candidate && toEntryOutcome(candidate),
    })),
  };
}

function toOutcome({ state, resolution, resolvedByMessageId }: pb.WhatIfOutcome): WhatIfOutcome {
  const commitment = resolution.length > 0 ? codec.decode('Commitment', resolution) : undefined;
  return { state: SESSION_STATES[state] ?? 'UNSPECIFIED', commitment, resolvedByMessageId };
}

function toEntryOutcome({ kind, state, errorCode, details }: pb.WhatIfEntryOutcome): WhatIfEntryOutcome {
  const { denials } = readDetails(details);
  return {
    kind: KINDS[kind] ?? 'unspecified',
    state: SESSION_STATES[state] ?? 'UNSPECIFIED',
    errorCode,
    denials,
  };
}
