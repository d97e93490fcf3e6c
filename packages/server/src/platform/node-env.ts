/** The engine's world on Node: clock, timers, randomness. Tests and the simulation bring their own. */
import { randomFillSync } from 'node:crypto';
import type { Codec } from '@handover/core';
import type { EngineObserver, Env, Log, Sleep, Store } from '@handover/engine';

export interface NodeEnvOptions {
  readonly store: Store;
  readonly codec: Codec;
  readonly log: Log;
  readonly now?: () => number;
  readonly observe?: EngineObserver;
}

/** setTimeout takes no more; a longer sleep is slept in parts. */
const MAX_TIMEOUT_MS = 2_147_483_647;

export function createNodeEnv({ store, codec, log, now = Date.now, observe }: NodeEnvOptions): Env {
  return { store, codec, log, now, sleep, random: pooledRandom(), ...(observe && { observe }) };
}

function sleep(ms: number): Sleep {
  let timer: NodeJS.Timeout | NodeJS.Immediate | undefined;
  const done = new Promise<void>((resolve) => {
    const wait = (left: number): void => {
      if (left <= 0) timer = setImmediate(resolve);
      else {
        timer = setTimeout(
          () => (left > MAX_TIMEOUT_MS ? wait(left - MAX_TIMEOUT_MS) : resolve()),
          Math.min(left, MAX_TIMEOUT_MS),
        );
        // A timer must never keep a process alive that has nothing else to do.
        timer.unref();
      }
    };
    wait(ms);
  });
  return {
    done,
    cancel: () => {
      clearTimeout(timer as NodeJS.Timeout);
      clearImmediate(timer as NodeJS.Immediate);
    },
  };
}

/** Salts are small and many: one call to the system fills a pool of them. */
function pooledRandom(): (bytes: number) => Uint8Array {
  const POOL = 8_192;
  let pool = new Uint8Array(0);
  let used = 0;
  return (bytes) => {
    if (bytes > POOL) return randomFillSync(new Uint8Array(bytes));
    if (used + bytes > pool.length) {
      pool = randomFillSync(new Uint8Array(POOL));
      used = 0;
    }
    used += bytes;
    return pool.subarray(used - bytes, used);
  };
}
