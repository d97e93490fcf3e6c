/**
 * The services on one engine in memory, with a clock, a chain and salts that the story controls. Stories go through
 * services and not only through deciders, so that a history also holds the documents which 0.1.0 wrote.
 *
 * All imports from the server stand here.
 */
import { createHash } from 'node:crypto';
import { type Entry, RUNTIME_ACTOR, type Step, type StreamRef } from '@handover/core';
import { createMemoryStore, Engine } from '@handover/engine';
import type { Principal } from '../../../packages/server/src/auth/principal.js';
import { ALL_SCOPES, DEFAULT_SCOPES } from '../../../packages/server/src/auth/scopes.js';
import { deciders } from '../../../packages/server/src/compose/deciders.js';
import { createDependencies } from '../../../packages/server/src/compose/dependencies.js';
import { readConfiguration } from '../../../packages/server/src/config/configuration.js';
import { lookAt } from '../../../packages/server/src/effects/chain/check-claims.js';
import { memoryKeyring } from '../../../packages/server/src/keys/keyring.js';
import { silentLog } from '../../../packages/server/src/observe/log.js';
import { nodeCodec } from '../../../packages/server/src/platform/node-codec.js';
import { createNodeEnv } from '../../../packages/server/src/platform/node-env.js';
import { receiptSigner } from '../../../packages/server/src/proof/receipt-keys.js';
import { createHandoffService } from '../../../packages/server/src/services/handoffs/create-handoff-service.js';
import { OpenSessionQuota } from '../../../packages/server/src/services/macp/open-session-quota.js';
import { adoptPolicies } from '../../../packages/server/src/services/macp/policy-files.js';
import { Registries } from '../../../packages/server/src/services/macp/registries.js';
import { RecordDocuments } from '../../../packages/server/src/services/operations/documents.js';
import { createOperations } from '../../../packages/server/src/services/operations/operations.js';
import { readRecord } from '../../../packages/server/src/services/operations/record.js';
import { FakeChain, readerOf } from '../../operations/support/fake-chain.js';

export { nodeCodec };

export const CHAIN_ID = 1879;
const CONFIRMATIONS = 3;
const ENVIRONMENT = {
  MACP_BIND_ADDR: '127.0.0.1:0',
  MACP_ALLOW_INSECURE: '1',
  MACP_MEMORY_ONLY: '1',
  MACP_MESSAGE_LIMIT_PER_MINUTE: '1000000',
  MACP_SESSION_START_LIMIT_PER_MINUTE: '1000000',
};

export function createRecordingWorld(story: string, { watched = true } = {}) {
  const store = createMemoryStore();
  const clock = { now: 1_700_000_000_000 };
  const now = () => clock.now;
  const runtime = createDependencies(readConfiguration(ENVIRONMENT), store, silentLog, now);
  const env = {
    ...createNodeEnv({ store, codec: nodeCodec, log: silentLog, now }),
    random: bytesFrom(story),
  };
  const settings = { now: runtime.settingsNow() };
  // Without a dev identity, so that administrators are what they are elsewhere.
  const { anonymous: _, ...authenticator } = runtime.authenticator;
  const deps = {
    ...runtime,
    authenticator,
    engine: new Engine(env, deciders),
    settingsNow: () => settings.now,
  };
  const signer = receiptSigner(memoryKeyring());
  const chain = new FakeChain(CHAIN_ID);
  const operationParts = {
    ...deps,
    store,
    signer,
    log: silentLog,
    confirmations: CONFIRMATIONS,
    documents: new RecordDocuments(store, deps.codec),
    chains: watched ? readerOf(chain) : readerOf(),
    pepper: createHash('sha256').update(`pepper of ${story}`).digest(),
    settings: readConfiguration(ENVIRONMENT).operations,
    publicBase: () => 'https://handover.example',
  };
  return {
    story,
    clock,
    chain,
    settings,
    engine: deps.engine,
    operations: createOperations(operationParts),
    handoffs: createHandoffService({ ...deps, store, quota: new OpenSessionQuota(deps), signer }),
    registries: new Registries(deps),
    adoptPolicies: (policies: Parameters<typeof adoptPolicies>[1]) => adoptPolicies(deps.engine, policies),
    /** One look of the verifier at what a record claims. */
    look: async (ref: StreamRef<'operation'>): Promise<void> => {
      const record = await readRecord(operationParts, ref);
      if (!record) throw new Error('there is no record');
      const { verdicts } = await lookAt(operationParts, chain, record);
      for (const command of verdicts) await submit(deps.engine, RUNTIME_ACTOR, { stream: ref, command });
    },
    submit: (agent: string, step: Step) => submit(deps.engine, agent, step),
    /** The stream as it stands at this time: what is due is recorded first. */
    history: async (ref: StreamRef): Promise<readonly Entry[]> => {
      await deps.engine.query(ref);
      return store.read(ref, 0, { entries: 10_000, bytes: 1e9 });
    },
  };
}

export type RecordingWorld = ReturnType<typeof createRecordingWorld>;

async function submit(engine: Engine, agent: string, step: Step): Promise<void> {
  const answer = await engine.submit({ agent, steps: [step], bytes: 1_024 });
  if (!answer.ok) throw new Error(`${answer.rejection.code}: ${answer.rejection.message}`);
}

/** Salts that are the same in every recording. */
function bytesFrom(story: string): (bytes: number) => Uint8Array {
  let calls = 0;
  return (bytes) => {
    const hash = createHash('sha512').update(`${story} ${++calls}`).digest();
    return new Uint8Array(hash.subarray(0, bytes));
  };
}

export function principal(agent: string, more: Partial<Principal> = {}): Principal {
  return {
    tenant: 'default',
    agent,
    canStartSessions: true,
    canManageModeRegistry: true,
    isObserver: false,
    scopes: DEFAULT_SCOPES,
    ...more,
  };
}

export const alice = principal('alice');
export const bob = principal('bob');
export const carol = principal('carol');
export const admin = principal('admin', { scopes: ALL_SCOPES });

/** The value of an outcome; a story in which something is refused is not a story. */
export async function done<T>(
  outcome: Promise<
    { readonly value: T } | { readonly rejection: { readonly code: string; readonly message: string } }
  >,
): Promise<T> {
  const settled = await outcome;
  if ('rejection' in settled) throw new Error(`${settled.rejection.code}: ${settled.rejection.message}`);
  return settled.value;
}
