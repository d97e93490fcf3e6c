/**
 * The services on one engine in memory, with a clock, a chain and salts that the story controls. Stories go through
 * services and not only through deciders, so that a history also holds the documents which 0.1.0 wrote.
 *
 * All imports from the server stand here.
 */
import { createHash } from 'node:crypto';
import { type Entry, OPERATOR, type Step, type StreamRef } from '@handover/core';
import type { Engine } from '@handover/engine';
import type { Principal } from '../../../packages/server/src/auth/principal.js';
import { ALL_SCOPES } from '../../../packages/server/src/auth/scopes.js';
import { lookAtRecord } from '../../../packages/server/src/effects/chain/look-at-record.js';
import { ScanMarks } from '../../../packages/server/src/effects/chain/scan-marks.js';
import { liveSettingsOf } from '../../../packages/server/src/services/configuration/live-settings.js';
import { adoptPolicies } from '../../../packages/server/src/services/macp/policy-files.js';
import { readRecord } from '../../../packages/server/src/services/operations/record.js';
import { createClock } from '../../kit/clock.js';
import { testConfiguration } from '../../kit/configuration.js';
import { operationsOf } from '../../kit/operations.js';
import { agent } from '../../kit/principals.js';
import { tokensEnv } from '../../kit/tokens.js';
import { createWorld, handoffsOf } from '../../kit/world.js';
import { FakeChain, readerOf } from '../../operations/support/fake-chain.js';

export const CHAIN_ID = 1879;

export function createRecordingWorld(story: string, { watched = true } = {}) {
  const clock = createClock();
  const settings = { now: liveSettingsOf(testConfiguration().changeable) };
  const world = createWorld({
    // Not in dev mode, so that administrators are what they are elsewhere.
    env: tokensEnv({ token: { sender: 'somebody' } }),
    clock,
    random: bytesFrom(story),
    settingsNow: () => settings.now,
  });
  const { engine, store, services } = world;
  const chain = new FakeChain(CHAIN_ID);
  const marks = new ScanMarks();
  const { needs, asks, operations } = operationsOf(world, {
    chains: watched ? readerOf(chain) : readerOf(),
    pepper: createHash('sha256').update(`pepper of ${story}`).digest(),
    publicBase: 'https://handover.example',
  });
  return {
    story,
    clock,
    chain,
    settings,
    engine,
    operations,
    handoffs: handoffsOf(world),
    registries: services.registries,
    adoptPolicies: (policies: Parameters<typeof adoptPolicies>[1]) => adoptPolicies(engine, policies),
    /** One look of the verifier at what a record claims. */
    look: async (ref: StreamRef<'operation'>): Promise<void> => {
      const record = await readRecord(needs, ref);
      if (!record) throw new Error('there is no record');
      asks.update(record);
      await lookAtRecord(needs, { asks, marks }, ref);
    },
    submit: (agent: string, step: Step) => submit(engine, agent, step),
    /** The stream as it stands at this time: what is due is recorded first. */
    history: async (ref: StreamRef): Promise<readonly Entry[]> => {
      await engine.query(ref);
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

export const principal = (name: string, more: Partial<Principal> = {}): Principal =>
  agent(name, { canManageModeRegistry: true, ...more });

export const alice = principal('alice');
export const bob = principal('bob');
export const carol = principal('carol');
/** A person, who speaks for whom it chooses. */
export const operator = principal(OPERATOR);
export const admin = principal('admin', { scopes: ALL_SCOPES });
