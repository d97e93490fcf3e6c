/** A record that was handed to a person, the page on which they act, and the chain that they sign for. */
import { type Family, StreamKind } from '@handover/core';
import { pageOf } from '../../kit/operations.js';
import { ok } from '../../kit/outcomes.js';
import type { Story } from './story.js';
import { admin, alice, createRecordingWorld, principal, type RecordingWorld } from './world.js';

export const MINUTE = 60_000;
export const DAY = 86_400_000;
export const OWNER = `0x${'3'.repeat(40)}`;

type Operations = RecordingWorld['operations'];
type Create = (
  service: Operations['service'],
  idempotencyKey: string,
) => ReturnType<Operations['service']['createOperation']>;

export async function handOver(world: RecordingWorld, family: Family, create: Create) {
  const { service, browser } = world.operations;
  const created = await ok(create(service, world.story));
  const id = String(created.id ?? created.handle);
  const [, secret = ''] = /#k=(.+)$/.exec(String(created.operationUrl ?? created.xdalaUrl)) ?? [];
  const ref = { tenant: 'default', kind: StreamKind.Operation, id } as const;
  const page = pageOf(browser, { family, id, secret });
  const after = (ms: number): void => {
    world.clock.now += ms;
  };
  return {
    id,
    ref,
    world,
    chain: world.chain,
    after,
    status: async (body: object) => {
      after(1_000);
      return ok(page.post('status', body));
    },
    progress: async (body: object) => {
      after(1_000);
      return ok(page.post('progress', body));
    },
    result: async (body: object) => {
      after(1_000);
      return ok(page.post('result', body));
    },
    look: async () => {
      after(1_000);
      await world.look(ref);
    },
    cancel: async (by: 'creator' | 'admin' | 'secret') => {
      after(1_000);
      const who = { creator: alice, admin, secret: principal('stranger') }[by];
      return ok(service.cancel(who, family, id, by === 'secret' ? secret : undefined));
    },
    /** Lets time pass until nothing more can happen by it; each stage is recorded on the way. */
    waitFor: async (ms: number) => {
      after(ms);
      await world.engine.query(ref);
    },
  };
}

export type Handed = Awaited<ReturnType<typeof handOver>>;

/** A story about one record. */
export function about(
  hand: (world: RecordingWorld) => Promise<Handed>,
  tell: (handed: Handed) => Promise<unknown>,
  options: { readonly watched?: boolean } = {},
): Story {
  return async (name) => {
    const world = createRecordingWorld(name, options);
    const handed = await hand(world);
    await tell(handed);
    return [{ name, ref: handed.ref, entries: await world.history(handed.ref) }];
  };
}
