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
  readonly denials: readonly PolicyDenial[];
}

/** One message of the history. */
export interface WhatIfEntry {
  /** Its place, from 0. */
  readonly historyIndex: number;
  readonly messageId: string;
  readonly messageType: string;
  readonly recorded: WhatIfEntryOutcome | undefined;
  readonly candidate: WhatIfEntryOutcome | undefined;
}

/** How a replay ended. */
export interface WhatIfOutcome {
  readonly state: SessionStateName;
  /** The Commitment that resolved the session there. */
  readonly commitment: CommitmentPayload | undefined;
  readonly resolvedByMessageId: string;
}

/** The replay of a history under the policy that it had, and under another one. */
export interface WhatIfResult {
  readonly candidatePolicyId: string;
  readonly recordedPolicyId: string;
  readonly recorded: WhatIfOutcome | undefined;
  readonly candidate: WhatIfOutcome | undefined;
  /** The first message on which the two differ; undefined when they agree everywhere. */
  readonly firstDivergence: number | undefined;
  /** What the candidate denied, with its reasons. */
  readonly denials: readonly {
    readonly historyIndex: number;
    readonly messageId: string;
    readonly denials: readonly PolicyDenial[];
  }[];
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
