/**
 * The fixtures as test suites over one door. Starting a server costs more than running a fixture, so fixtures share
 * servers where they can: each has a tenant of its own.
 *
 * - Those that do not move the clock share one server, and are compared together after it was started again.
 * - Those that move it share one, too, which is started again after each: what is compared is the end of that fixture,
 *   not what time has since made of it.
 * - Those with settings or a full queue have a server each.
 *
 * A session shows nothing of what its mode remembers but by its answers. So the last message of each mode's fixtures is also
 * sent after the server was started again.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HANDOFF_MODE } from '@handover/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../kit/temporary-folder.js';
import { TestServer } from '../../kit/test-server.js';
import type { Fixture, NamedFixture, Step } from '../fixture-types.js';
import { Agents } from './agents.js';
import { compareEnd, snapshot } from './end.js';
import { type DoorName, WireRunner } from './runner.js';

interface Cast extends NamedFixture {
  readonly agents: Agents;
}

const stepsOf = ({ setup = [], messages }: Fixture): readonly Step[] => [...setup, ...messages];
const movesClock = ({ fixture }: NamedFixture) => stepsOf(fixture).some((step) => 'advance_ms' in step);
const restarts = ({ fixture }: NamedFixture) =>
  stepsOf(fixture).some((step) => 'fault' in step && step.fault === 'restart');
const fillsQueue = (fixture: Fixture) =>
  stepsOf(fixture).some((step) => 'fault' in step && step.fault === 'queue_full');
const needsOwnServer = ({ fixture }: NamedFixture) =>
  Object.keys(fixture.server ?? {}).some((key) => key !== 'tokens') || fillsQueue(fixture);

export function defineFixtureSuite(named: readonly NamedFixture[], door: DoorName): void {
  const cast = named.map((one, index) => ({ ...one, agents: new Agents(`f${index}`, one.fixture) }));
  const shared = cast.filter((one) => !needsOwnServer(one));
  const still = (one: Cast) => !movesClock(one) && !restarts(one);
  defineTogether(shared.filter(still), door);
  defineInterrupted(
    shared.filter((one) => still(one) && one.fixture.mode !== HANDOFF_MODE),
    door,
  );
  defineInTurn(
    shared.filter((one) => !still(one)),
    door,
  );
  describe('with a server of its own', () => {
    for (const one of cast.filter(needsOwnServer)) it(one.name, () => runAlone(one, door));
  });
}

function settings(cast: readonly Cast[]): Record<string, string> {
  return {
    MACP_ALLOW_INSECURE: '1',
    MACP_AUTH_TOKENS_JSON: JSON.stringify(cast.flatMap(({ agents }) => agents.tokens)),
  };
}

function defineTogether(cast: readonly Cast[], door: DoorName): void {
  describe('while the clock stands', () => {
    const runners: WireRunner[] = [];
    let server: TestServer;
    beforeAll(async () => {
      server = await TestServer.start({ env: settings(cast) });
    });
    afterAll(() => server.remove());

    for (const { name, fixture, agents } of cast)
      it(name, async () => {
        const runner = new WireRunner(fixture, server, agents, door);
        runners.push(runner);
        await runner.run();
        await compareEnd(runner);
      });

    it('are all the same after a restart', async () => {
      const before = await snapshotAll(runners);
      await server.restart();
      expect(await snapshotAll(runners)).toEqual(before);
      expect(before).toHaveLength(cast.length);
    });
  });
}

function defineInterrupted(cast: readonly Cast[], door: DoorName): void {
  it('come out the same when the server is started again before their last message', async () => {
    const server = await TestServer.start({ env: settings(cast) });
    const runners = cast.map(({ fixture, agents }) => new WireRunner(fixture, server, agents, door));
    try {
      for (const runner of runners) {
        await runner.runUntilLast();
        runner.hangUp();
      }
      await server.restart();
      for (const [index, runner] of runners.entries())
        await runner
          .runLast()
          .then(() => compareEnd(runner))
          .catch((cause) => {
            throw new Error(`${cast[index]?.name}: ${cause.message}`, { cause });
          });
      const before = await snapshotAll(runners);
      await server.restart();
      expect(await snapshotAll(runners)).toEqual(before);
      expect(before.length).toBeGreaterThan(100);
    } finally {
      for (const runner of runners) runner.hangUp();
      await server.remove();
    }
  });
}

function defineInTurn(cast: readonly Cast[], door: DoorName): void {
  describe('while the clock moves, each with a restart', () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await TestServer.start({ env: settings(cast) });
    });
    afterAll(() => server.remove());

    for (const { name, fixture, agents } of cast)
      it(name, () => runWithRestart(new WireRunner(fixture, server, agents, door)));
  });
}

async function runAlone(one: Cast, door: DoorName): Promise<void> {
  const server = await TestServer.start({ env: { ...settings([one]), ...ownSettings(one.fixture) } });
  try {
    await runWithRestart(new WireRunner(one.fixture, server, one.agents, door));
  } finally {
    await server.remove();
  }
}

function ownSettings(fixture: Fixture): Record<string, string> {
  const { server = {} } = fixture;
  const given: Record<string, string | number | undefined> = {
    MACP_MAX_PAYLOAD_BYTES: server.max_payload_bytes,
    MACP_MESSAGE_LIMIT_PER_MINUTE: server.message_limit_per_minute,
    MACP_SESSION_START_LIMIT_PER_MINUTE: server.session_start_limit_per_minute,
    MACP_POLICIES_DIR: server.policies_directory && policyFolder(server.policies_directory),
    HANDOVER_QUEUE_MAX_COMMANDS: fillsQueue(fixture) ? 1 : undefined,
  };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set.map(([name, value]) => [name, String(value)]));
}

function policyFolder(policies: readonly unknown[]): string {
  const folder = temporaryFolder();
  for (const [index, policy] of policies.entries())
    writeFileSync(join(folder, `${index}.json`), JSON.stringify(policy));
  return folder;
}

async function runWithRestart(runner: WireRunner): Promise<void> {
  try {
    await runner.run();
    await compareEnd(runner);
    const before = await snapshot(runner);
    runner.hangUp();
    await runner.server.restart();
    expect(await snapshot(runner)).toEqual(before);
  } finally {
    runner.hangUp();
  }
}

async function snapshotAll(runners: readonly WireRunner[]): Promise<readonly unknown[]> {
  const snapshots: unknown[] = [];
  for (const runner of runners) {
    snapshots.push(await snapshot(runner));
    runner.hangUp();
  }
  return snapshots;
}
