/**
 * One stream for each transaction (or call inside one) that has settled a step: the first step that takes it keeps it. So
 * one payment never completes two requests, of whichever tenant, and no search is needed to know.
 */

import { accepted, type Decision, rejected, type Stamp } from '../decider.js';
import { FaultCode, HandoverError } from '../fault.js';
import { type EntryHead, NO_PAYLOAD, StreamKind, type StreamRef } from '../log/entry.js';
import { knowsRules } from '../log/rev.js';
import { runtimeMessageId } from '../log/runtime-draft.js';
import { RejectionCode, reject } from '../rejection.js';
import type { DeciderOf } from '../streams.js';

/** Which step of which record a carrier settles. */
export interface CarrierState {
  readonly tenant: string;
  readonly operation: string;
  readonly step: string;
  readonly takenAt: number;
}

export interface CarrierCommand {
  readonly kind: 'take';
  readonly tenant: string;
  readonly operation: string;
  readonly step: string;
}

export const CARRIER_TAKEN = 'CarrierTaken';

/** No credential names it, so nobody but the server reads or writes there. */
const CARRIER_TENANT = '_server';

/** `frame`: which call inside the transaction; 0 is the transaction itself. */
export const carrierRef = (chainId: number, hash: string, frame = '0'): StreamRef<'carrier'> => ({
  tenant: CARRIER_TENANT,
  kind: StreamKind.Carrier,
  id: `${chainId}/${hash.toLowerCase()}/${frame}`,
});

/** What is no transaction carries itself, under a name of its own: a contract by its address, a session by owner and number. */
export const contractCarrier = (address: string): string => `contract/${address}`;
export const sessionCarrier = (owner: string, sessionId: string): string => `session/${owner}/${sessionId}`;

export const carrierDecider: DeciderOf<'carrier'> = {
  kind: StreamKind.Carrier,
  decide: take,
  evolve: knowsRules(1, evolve),
  due: () => undefined,
  tick: () => {
    throw new HandoverError(FaultCode.INTERNAL, 'carriers have no timers');
  },
  listingChanged: (before) => before === undefined,
  listing: ({ takenAt }) => ({ state: 'TAKEN', createdAt: takenAt, summary: {} }),
  involved: () => [],
};

function take(
  state: CarrierState | undefined,
  { tenant, operation, step }: CarrierCommand,
  stamp: Stamp,
): Decision {
  if (!state) {
    const messageId = runtimeMessageId(CARRIER_TAKEN, stamp.seq);
    const facts = { tenant, operation, step };
    return accepted({ type: CARRIER_TAKEN, v: 1, actor: stamp.agent, messageId, facts, payload: NO_PAYLOAD });
  }
  const isOwn = state.tenant === tenant && state.operation === operation && state.step === step;
  return isOwn
    ? accepted()
    : rejected(reject(RejectionCode.CONFLICT, 'that transaction has settled another step'));
}

function evolve(state: CarrierState | undefined, { type, v, facts, at, seq }: EntryHead): CarrierState {
  if (state || type !== CARRIER_TAKEN || v !== 1)
    throw new HandoverError(FaultCode.DATA_LOSS, `entry ${seq} of a carrier cannot be read by this version`);
  const { tenant, operation, step } = facts;
  return { tenant: String(tenant), operation: String(operation), step: String(step), takenAt: at };
}
