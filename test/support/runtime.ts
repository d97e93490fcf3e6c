/** The runtime without sockets: real services, real engine, a store of choice and a clock that the test moves. */
import type { Envelope } from '@handover/core';
import { createMemoryStore, Engine, type Store } from '@handover/engine';
import { createDevAuthenticator } from '../../packages/server/src/auth/authenticator.js';
import { createRateLimiter } from '../../packages/server/src/auth/rate-limiter.js';
import { deciders } from '../../packages/server/src/compose/deciders.js';
import { silentLog } from '../../packages/server/src/observe/log.js';
import { createMetrics } from '../../packages/server/src/observe/metrics.js';
import { createAudit } from '../../packages/server/src/observe/security-log.js';
import { nodeCodec } from '../../packages/server/src/platform/node-codec.js';
import { createNodeEnv } from '../../packages/server/src/platform/node-env.js';
import { defaultLiveSettings } from '../../packages/server/src/services/configuration/live-settings.js';
import { createMacpServices } from '../../packages/server/src/services/macp/macp-services.js';
import { SignalBus } from '../../packages/server/src/services/macp/signal-bus.js';

export const TENANT = 'default';
export const sessionStream = (id: string) => ({ tenant: TENANT, kind: 'session' as const, id });

export interface TestClock {
  now: number;
}

/** As `as('alice')` says: everything a named agent can do, through the same services as every door. */
export function createTestRuntime(
  store: Store = createMemoryStore(),
  clock: TestClock = { now: 1_700_000_000_000 },
) {
  const now = () => clock.now;
  const engine = new Engine(createNodeEnv({ store, codec: nodeCodec, log: silentLog, now }), deciders);
  const authenticator = createDevAuthenticator({ defaultAgent: 'dev' });
  const deps = {
    engine,
    codec: nodeCodec,
    authenticator,
    limiter: createRateLimiter({ sessionStartsPerMinute: 1e9, messagesPerMinute: 1e9, now }),
    audit: createAudit(silentLog),
    metrics: createMetrics({ isKnownMode: () => true, process: false }),
    signals: new SignalBus(),
    now,
    settingsNow: defaultLiveSettings,
    maxPayloadBytes: 1_048_576,
    policiesFromFiles: false,
    listPageSize: { fallback: 1_000, max: 1_000 },
    serverVersion: 'test',
  };
  const { send, sessions, registries } = createMacpServices(deps);
  const principal = (agent: string) => {
    const outcome = authenticator.authenticate({ authorization: `Bearer ${agent}` });
    if (outcome instanceof Promise || !outcome.ok) throw new Error(`dev mode refused ${agent}`);
    return outcome.principal;
  };
  return {
    deps,
    engine,
    store,
    clock,
    sessions,
    registries,
    principal,
    send: (envelope: Envelope, agent = envelope.sender) =>
      send.send({ authorization: `Bearer ${agent}` }, envelope, 'test'),
    state: async (id: string) => (await engine.query(sessionStream(id)))?.state,
  };
}

export type TestRuntime = ReturnType<typeof createTestRuntime>;
