/**
 * Many assistants that look for work at once, where much is left: how long the whole takes, and the longest time for which
 * nobody else was served. On SQLite, in this process, behind the doors; once right after a start, when nothing is known, and
 * then again.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeHook } from '../../packages/server/src/services/handoffs/hook-visits.js';
import { openSqliteStore } from '../../packages/server/src/store/sqlite/index.js';
import { ok } from '../kit/outcomes.js';
import { agent } from '../kit/principals.js';
import { createWorld, type World } from '../worklog/world.js';
import { threadCpuMs } from './cpu-time.js';

export interface LooksAtOnce {
  readonly what: string;
  readonly totalMs: number;
  readonly longestHoldMs: number;
  /** Of the processor: what the machine does beside it is no part of it. */
  readonly longestHoldCpuMs: number;
}

const PARKED = 2_000;
const LOOKS = 300;
const AT_ONCE = 100;
const DAY = 86_400_000;
const SHOP = { id: 'dir:0123456789abcdef', name: 'shop' };
const stdio = { transport: 'stdio' as const, since: 0, project: SHOP };

export async function looksAtOnce(): Promise<readonly LooksAtOnce[]> {
  const directory = mkdtempSync(join(tmpdir(), 'handover-bench-looks-'));
  const rows: LooksAtOnce[] = [];
  try {
    await onFolder(directory, leaveAll);
    for (const [what, look] of Object.entries(LOOKING))
      await onFolder(directory, async (world) => {
        rows.push(await held(`${what}, right after a start`, world, look));
        rows.push(await held(what, world, look));
      });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return rows;
}

type Look = (world: World, name: string) => Promise<unknown>;

const LOOKING: Readonly<Record<string, Look>> = {
  resume: ({ handoffs }, name) =>
    ok(handoffs.resume(agent(name), { accept: false, take: false }, { ...stdio, instance: '0123abcd' })),
  hook: ({ handoffs, directory, clock }, name) => {
    const body = { client: 'claude', clientSession: 'c1', event: 'SessionStart', project: SHOP };
    return takeHook({ handoffs, directory, now: () => clock.now }, agent(name), body, stdio);
  },
};

async function onFolder(directory: string, use: (world: World) => Promise<void>): Promise<void> {
  const store = await openSqliteStore({ directory, diskFloorBytes: 0 });
  const world = createWorld(store);
  await use(world);
  await world.engine.close();
  await store.close();
}

/** By forty owners, for whoever comes next. */
async function leaveAll({ handoffs, clock }: World): Promise<void> {
  const leave = async (index: number) => {
    const owner = agent(`owner-${index % 40}`);
    const sessionKey = `work-${index}`;
    const at = { ...stdio, instance: 'ffffffff' };
    await ok(handoffs.registerSession(owner, { sessionKey, agentFrom: owner.agent }, at));
    await ok(handoffs.updateContext(owner, { sessionKey, contextType: 'message', content: 'words' }, at));
    const until = clock.now + 7 * DAY;
    const asked = { requestType: 'full_handoff', by: 'owner' } as const;
    await ok(handoffs.park(owner, { sessionKey, takers: ['*'], until, ...asked }));
  };
  for (let from = 0; from < PARKED; from += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => leave(from + i)));
}

/** A turn that comes late was held. */
async function held(what: string, world: World, look: Look): Promise<LooksAtOnce> {
  const longest = { time: 0, cpu: 0 };
  let last = { time: performance.now(), cpu: threadCpuMs() };
  let isOver = false;
  const turn = () => {
    const now = { time: performance.now(), cpu: threadCpuMs() };
    longest.time = Math.max(longest.time, now.time - last.time);
    longest.cpu = Math.max(longest.cpu, now.cpu - last.cpu);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const begun = performance.now();
  await Promise.all(Array.from({ length: LOOKS }, (_, i) => look(world, `agent-${i}`)));
  const totalMs = performance.now() - begun;
  isOver = true;
  return { what, totalMs, longestHoldMs: longest.time, longestHoldCpuMs: longest.cpu };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await looksAtOnce());
