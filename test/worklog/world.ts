/** The service of working sessions and the MACP services on one engine. */
import { createMemoryStore } from '@handover/engine';
import { createClock } from '../kit/clock.js';
import type { TestEnv } from '../kit/configuration.js';
import * as kit from '../kit/world.js';

export type World = ReturnType<typeof createWorld>;

export const T0 = 1_800_000_000_000;

export function createWorld(store = createMemoryStore(), env: TestEnv = {}) {
  const world = kit.createWorld({ store, env, clock: createClock(T0) });
  const { directory } = world.deps;
  return { ...world, directory, handoffs: kit.handoffsOf(world) };
}
