/** Outcomes of a what-if replay as the fields of generated messages. */
import {
  RejectionCode,
  type WhatIfEnd,
  type WhatIfEntry,
  WhatIfKind,
  type WhatIfOutcome,
} from '@handover/core';
import { type MessageInitShape, pb } from '@handover/wire';
import { nodeCodec } from '../../../platform/node-codec.js';
import { errorDetails } from '../error-details.js';
import { STATES } from './translate.js';

const KINDS: Readonly<Record<WhatIfKind, pb.WhatIfEntryOutcome_Kind>> = {
  [WhatIfKind.Applied]: pb.WhatIfEntryOutcome_Kind.APPLIED,
  [WhatIfKind.NotOpen]: pb.WhatIfEntryOutcome_Kind.NOT_OPEN,
  [WhatIfKind.Refused]: pb.WhatIfEntryOutcome_Kind.REFUSED,
  [WhatIfKind.NoSession]: pb.WhatIfEntryOutcome_Kind.NO_SESSION,
};
const NOTHING = new Uint8Array(0);

type Response = MessageInitShape<typeof pb.WhatIfReplayResponseSchema>;

/** The outcomes, and every denial among them. */
export function toWhatIfEntries(entries: readonly WhatIfEntry[]): Response {
  return {
    entries: entries.map(({ historyIndex, messageId, messageType, recorded, candidate }) => ({
      historyIndex: BigInt(historyIndex),
      messageId,
      messageType,
      recorded: toOutcome(recorded),
      candidate: toOutcome(candidate),
    })),
    denials: entries
      .filter(({ candidate }) => isDenial(candidate))
      .map(({ historyIndex, messageId, candidate }) => ({
        historyIndex: BigInt(historyIndex),
        messageId,
        details: detailsOf(candidate),
      })),
  };
}

export function toWhatIfEnd({
  state,
  resolution,
}: WhatIfEnd): MessageInitShape<typeof pb.WhatIfOutcomeSchema> {
  return {
    state: stateOf(state?.status),
    ...(resolution && {
      resolution: resolution.payload,
      resolvedByHistoryIndex: BigInt(resolution.historyIndex),
      resolvedByMessageId: resolution.messageId,
      resolvedByMessageType: resolution.messageType,
    }),
  };
}

function toOutcome(outcome: WhatIfOutcome): MessageInitShape<typeof pb.WhatIfEntryOutcomeSchema> {
  const { kind, state, rejection } = outcome;
  return {
    kind: KINDS[kind],
    state: stateOf(state),
    errorCode: rejection?.code ?? '',
    details: detailsOf(outcome),
  };
}

const isDenial = ({ rejection }: WhatIfOutcome): boolean => rejection?.code === RejectionCode.POLICY_DENIED;

function detailsOf(outcome: WhatIfOutcome): Uint8Array {
  const { rejection } = outcome;
  return rejection && isDenial(outcome) ? errorDetails(rejection, nodeCodec) : NOTHING;
}

const stateOf = (name: string | undefined): pb.SessionState =>
  STATES.get(name ?? '') ?? pb.SessionState.UNSPECIFIED;
