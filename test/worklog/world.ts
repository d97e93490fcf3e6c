/** The desk of working sessions and the MACP pipeline on one engine, in memory, with a clock that the test moves. */
import { createMemoryStore, type Store } from '@handover/engine';
import type { Principal } from '../../packages/server/src/auth/principal.js';
import { ALL_SCOPES, DEFAULT_SCOPES } from '../../packages/server/src/auth/scopes.js';
import { createDependencies } from '../../packages/server/src/compose/dependencies.js';
import { readConfiguration } from '../../packages/server/src/config/configuration.js';
import { memoryKeyring } from '../../packages/server/src/keys/keyring.js';
import { silentLog } from '../../packages/server/src/observe/log.js';
import { nodeCodec } from '../../packages/server/src/platform/node-codec.js';
import { receiptSigner } from '../../packages/server/src/proof/receipt-keys.js';
import type { ServiceDependencies } from '../../packages/server/src/services/dependencies.js';
import { createHandoffService } from '../../packages/server/src/services/handoffs/create-handoff-service.js';
import type { HandoffService } from '../../packages/server/src/services/handoffs/types.js';
import { OpenSessionQuota } from '../../packages/server/src/services/macp/open-session-quota.js';
import { SendService } from '../../packages/server/src/services/macp/send.js';
import { Sessions } from '../../packages/server/src/services/macp/sessions.js';
import type { Outcome } from '../../packages/server/src/services/outcome.js';

export interface World {
  readonly store: Store;
  readonly deps: ServiceDependencies;
  readonly handoffs: HandoffService;
  readonly send: SendService;
  readonly sessions: Sessions;
  readonly clock: { now: number };
}

export const T0 = 1_800_000_000_000;

export function createWorld(store = createMemoryStore(), settings: Record<string, string> = {}): World {
  const configuration = readConfiguration({
    MACP_BIND_ADDR: '127.0.0.1:0',
    MACP_ALLOW_INSECURE: '1',
    MACP_MEMORY_ONLY: '1',
    MACP_MESSAGE_LIMIT_PER_MINUTE: '1000000',
    MACP_SESSION_START_LIMIT_PER_MINUTE: '1000000',
    ...settings,
  });
  const clock = { now: T0 };
  const deps = createDependencies(configuration, store, silentLog, () => clock.now);
  const quota = new OpenSessionQuota(deps);
  const signer = receiptSigner(memoryKeyring());
  const handoffs = createHandoffService({ ...deps, store, quota, signer });
  const send = new SendService(deps, quota);
  return { store, deps, handoffs, send, sessions: new Sessions(deps), clock };
}

export function agent(name: string, more: Partial<Principal> = {}): Principal {
  return {
    tenant: 'default',
    agent: name,
    canStartSessions: true,
    canManageModeRegistry: false,
    isObserver: false,
    scopes: DEFAULT_SCOPES,
    ...more,
  };
}

export const admin = (name: string): Principal => agent(name, { scopes: ALL_SCOPES });
export const alice = agent('alice');
export const bob = agent('bob');
export const carol = agent('carol');
export const mallory = agent('mallory');

/** The value of an outcome that must be one. */
export function settled<T>(outcome: Outcome<T>): T {
  if ('rejection' in outcome) throw new Error(`${outcome.rejection.code}: ${outcome.rejection.message}`);
  return outcome.value;
}

export function codeOf(outcome: Outcome<unknown>): string {
  return 'rejection' in outcome ? outcome.rejection.code : 'ok';
}

export const ok = async <T>(outcome: Promise<Outcome<T>>): Promise<T> => settled(await outcome);
export const code = async (outcome: Promise<Outcome<unknown>>): Promise<string> => codeOf(await outcome);

export const codec = nodeCodec;
