/** Messages as a MACP client sends them, through the pipeline of the gRPC and HTTP doors. */
import { type Entry, HANDOFF_MODE, type PayloadsIn, payloadKind, verifyStream } from '@handover/core';
import type { Ack } from '@handover/wire';
import { expect } from 'vitest';
import type { Principal } from '../../packages/server/src/auth/principal.js';
import { sessionRef } from '../../packages/server/src/services/stream-refs.js';
import { codec, type World } from './world.js';

type Payloads = PayloadsIn<typeof HANDOFF_MODE>;

let messages = 0;

export function send<T extends keyof Payloads>(
  { send, clock }: World,
  who: Principal,
  sessionId: string,
  messageType: T,
  payload: Payloads[T],
): Promise<Ack> {
  return send.sendAs(who, {
    macpVersion: '1.0',
    mode: HANDOFF_MODE,
    messageType,
    messageId: `macp-${++messages}`,
    sessionId,
    sender: who.agent,
    timestampUnixMs: clock.now,
    payload: codec.encode(payloadKind(HANDOFF_MODE, messageType), payload),
  });
}

export const START = {
  intent: '',
  participants: ['alice', 'bob'],
  modeVersion: '1.0.0',
  configurationVersion: 'config.default',
  policyVersion: '',
  ttlMs: 3_600_000,
  roots: [],
  contextId: '',
  extensions: {},
  maxSuspendMs: 0,
};

export const accept = (world: World, who: Principal, sessionId: string, handoffId = 'h1') =>
  send(world, who, sessionId, 'HandoffAccept', {
    handoffId,
    acceptedBy: who.agent,
    reason: 'over MACP',
    implicit: false,
  });

export const decline = (world: World, who: Principal, sessionId: string, handoffId = 'h1') =>
  send(world, who, sessionId, 'HandoffDecline', { handoffId, declinedBy: who.agent, reason: 'over MACP' });

export const commit = (world: World, who: Principal, sessionId: string, outcomePositive = true) =>
  send(world, who, sessionId, 'Commitment', {
    commitmentId: `c-${sessionId}`,
    action: outcomePositive ? 'handoff.accepted' : 'handoff.declined',
    authorityScope: 'all',
    reason: 'settled',
    modeVersion: '1.0.0',
    policyVersion: '',
    configurationVersion: 'config.default',
    outcomePositive,
  });

export async function history({ store }: World, sessionId: string): Promise<readonly Entry[]> {
  return store.read(sessionRef('default', sessionId), 0, { entries: 10_000, bytes: 1e9 });
}

/** Every stream in the log is what the rules give. */
export async function expectSound({ store }: World): Promise<void> {
  const streams = new Map(
    (await store.feed(0, 1_000_000)).map(({ entry }) => [JSON.stringify(entry.stream), entry.stream]),
  );
  for (const ref of streams.values()) {
    const entries = await store.read(ref, 0, { entries: 100_000, bytes: 1e9 });
    expect(verifyStream(ref, entries, codec)).toMatchObject({ ok: true });
  }
}
