/** Messages as a MACP client sends them, through the services of the gRPC and HTTP doors. */
import { type Entry, type HANDOFF_MODE, type PayloadsIn, verifyStream } from '@handover/core';
import { BEGINNING } from '@handover/engine';
import type { Ack } from '@handover/wire';
import { expect } from 'vitest';
import type { Principal } from '../../packages/server/src/auth/principal.js';
import { nodeCodec } from '../../packages/server/src/platform/node-codec.js';
import { sessionRef } from '../../packages/server/src/services/stream-refs.js';
import { commitmentPayload, envelope, startPayload } from '../kit/envelopes.js';
import type { World } from './world.js';

type Payloads = PayloadsIn<typeof HANDOFF_MODE>;

export function send<T extends keyof Payloads>(
  { services, clock }: World,
  who: Principal,
  sessionId: string,
  messageType: T,
  payload: Payloads[T],
): Promise<Ack> {
  const sent = envelope(sessionId, who.agent, messageType, payload, { timestampUnixMs: clock.now });
  return services.send.sendAs(who, sent);
}

export const START = startPayload({ intent: '', participants: ['alice', 'bob'], ttlMs: 3_600_000 });

export const accept = (world: World, who: Principal, sessionId: string, handoffId = 'h1') =>
  send(world, who, sessionId, 'HandoffAccept', {
    handoffId,
    acceptedBy: who.agent,
    reason: 'over MACP',
    implicit: false,
  });

export const decline = (world: World, who: Principal, sessionId: string, handoffId = 'h1') =>
  send(world, who, sessionId, 'HandoffDecline', { handoffId, declinedBy: who.agent, reason: 'over MACP' });

export const commit = (world: World, who: Principal, sessionId: string, outcomePositive = true) => {
  const action = outcomePositive ? 'handoff.accepted' : 'handoff.declined';
  const said = { commitmentId: `c-${sessionId}`, authorityScope: 'all', reason: 'settled' };
  const payload = commitmentPayload({ ...said, action, outcomePositive });
  return send(world, who, sessionId, 'Commitment', payload);
};

export async function history({ store }: World, sessionId: string): Promise<readonly Entry[]> {
  return store.read(sessionRef('default', sessionId), 0, { entries: 10_000, bytes: 1e9 });
}

/** Every stream in the log is what the rules give. */
export async function expectSound({ store }: World): Promise<void> {
  const streams = new Map(
    (await store.feed(BEGINNING, 1_000_000)).map(({ entry }) => [JSON.stringify(entry.stream), entry.stream]),
  );
  for (const ref of streams.values()) {
    const entries = await store.read(ref, 0, { entries: 100_000, bytes: 1e9 });
    expect(verifyStream(ref, entries, nodeCodec)).toMatchObject({ ok: true });
  }
}
