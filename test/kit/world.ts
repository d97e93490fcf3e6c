/**
 * Everything behind the doors, composed as the server does it, without sockets. The test chooses the store and moves
 * the clock. Worlds of single doors and services are built on this one.
 */
import type { Envelope } from '@handover/core';
import { createMemoryStore, type Store } from '@handover/engine';
import {
  createDependencies,
  type DependencyOptions,
} from '../../packages/server/src/compose/dependencies.js';
import type { Configuration } from '../../packages/server/src/config/configuration.js';
import { memoryKeyring } from '../../packages/server/src/keys/keyring.js';
import { type Log, silentLog } from '../../packages/server/src/observe/log.js';
import { receiptSigner } from '../../packages/server/src/proof/receipt-keys.js';
import type { ServiceDependencies } from '../../packages/server/src/services/dependencies.js';
import { createHandoffService } from '../../packages/server/src/services/handoffs/create-handoff-service.js';
import { createMacpServices } from '../../packages/server/src/services/macp/macp-services.js';
import { sessionRef } from '../../packages/server/src/services/stream-refs.js';
import { createClock, type TestClock } from './clock.js';
import { type TestEnv, testConfiguration } from './configuration.js';

export interface WorldOptions extends Pick<DependencyOptions, 'settingsNow' | 'random'> {
  /** Settings. Without credentials among them it is dev mode: a bearer is the agent of that name. */
  readonly env?: TestEnv;
  /** In place of what `env` gives. */
  readonly configuration?: Configuration;
  readonly store?: Store;
  readonly log?: Log;
  readonly clock?: TestClock;
  /** In place of what the server would make. */
  readonly replace?: Partial<ServiceDependencies>;
}

export type World = ReturnType<typeof createWorld>;

export function createWorld(options: WorldOptions = {}) {
  const { store = createMemoryStore(), log = silentLog, clock = createClock(), replace, ...more } = options;
  const configuration = options.configuration ?? testConfiguration(options.env);
  const now = () => clock.now;
  const made = createDependencies(configuration, store, log, now, {
    monotonicNow: now,
    processMetrics: false,
    ...(more.settingsNow && { settingsNow: more.settingsNow }),
    ...(more.random && { random: more.random }),
  });
  const deps: ServiceDependencies = replace ? { ...made, ...replace } : made;
  const { engine } = deps;
  const services = createMacpServices(deps);
  return {
    configuration,
    store,
    log,
    clock,
    deps,
    engine,
    services,
    /** Sends as a door does. In dev mode the sender is the caller. */
    send: (envelope: Envelope, bearer = envelope.sender) =>
      services.send.send({ authorization: `Bearer ${bearer}` }, envelope, { door: 'test' }),
    /** The principal that the authenticator gives for a bearer. */
    principal(bearer: string) {
      const outcome = deps.authenticator.authenticate({ authorization: `Bearer ${bearer}` });
      if (outcome instanceof Promise || !outcome.ok) throw new Error(`${bearer} is refused`);
      return outcome.principal;
    },
    state: async (id: string) => (await engine.query(sessionRef('default', id)))?.state,
  };
}

/** The service of working sessions and handoffs, on the same engine and with the same quota. */
export function handoffsOf({ deps, store, services, configuration: { taking } }: World) {
  const signer = receiptSigner(memoryKeyring());
  return createHandoffService({ ...deps, store, taking, quota: services.quota, signer });
}
