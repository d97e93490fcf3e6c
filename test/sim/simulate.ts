/** One run: a seed, its faults, its clients, and what was wrong. */
import { createHash } from 'node:crypto';
import { check, checkTimers } from './checks.js';
import { Clients } from './clients.js';
import { drawFaults, type FaultKind, type Faults, without } from './faults.js';
import { Ledger } from './ledger.js';
import { randomFrom } from './random.js';
import { Schedule } from './schedule.js';
import { World } from './world.js';

const MOST_EVENTS = 60_000;
/** Nothing goes wrong any more after that. */
const FAULTS_MS = 40_000;
/** All nodes that are there have been well for so long. */
const QUIET_MS = 20_000;
/** Long enough for every timer, lock and outage to be over. */
const SETTLE_MS = 90_000;

export interface Outcome {
  readonly seed: number;
  readonly faults: Faults;
  readonly violations: readonly string[];
  readonly acks: number;
  readonly duplicates: number;
  readonly refusals: number;
  readonly events: number;
  readonly entries: number;
  readonly happened: Readonly<Record<string, number>>;
  /** Of the whole log: the same seed gives the same. */
  readonly trace: string;
}

export interface Without {
  readonly faults?: readonly FaultKind[];
  /** At most so many sessions. */
  readonly sessions?: number;
}

export async function simulate(seed: number, less: Without = {}): Promise<Outcome> {
  const random = randomFrom(seed);
  const drawn = without(drawFaults(random), less.faults ?? []);
  const faults = { ...drawn, sessions: Math.min(drawn.sessions, less.sessions ?? drawn.sessions) };
  const schedule = new Schedule(random, 1_700_000_000_000);
  const world = new World(schedule, random, faults);
  const ledger = new Ledger();
  const clients = new Clients(world, ledger);
  const calmAt = schedule.now + FAULTS_MS;
  let isSettled = false;
  ledger.open = faults.sessions;
  const following = Promise.all([clients.follower(() => isSettled), clients.follower(() => isSettled)]);
  void clients.policies().then(() => {
    for (let n = 0; n < faults.sessions; n++)
      void clients.session().then(
        () => ledger.open--,
        (thrown) => {
          ledger.violated(`a client failed: ${String(thrown)}`);
          ledger.open--;
        },
      );
  });
  await schedule.run(() => ledger.open === 0 || schedule.now > calmAt, MOST_EVENTS);
  world.calm();
  const quietFrom = schedule.now;
  await schedule.run(() => ledger.open === 0, MOST_EVENTS);
  if (ledger.open > 0) ledger.violated(`I33 ${ledger.open} clients are stuck`);
  await schedule.run(() => schedule.now > quietFrom + QUIET_MS, MOST_EVENTS);
  if (schedule.now > quietFrom + QUIET_MS) await checkTimers(world, ledger);
  const end = schedule.now + SETTLE_MS;
  await schedule.run(() => schedule.now > end, MOST_EVENTS);
  isSettled = true;
  let hasEnded = false;
  void following.then(() => {
    hasEnded = true;
  });
  await schedule.run(() => hasEnded, 5_000);
  if (!hasEnded) ledger.violated('I33 the follower is stuck');
  await check(world, ledger);
  const feed = await world.database.store.feed('' as never, 1_000_000);
  const trace = createHash('sha256');
  for (const { entry } of feed) trace.update(`${entry.hash} ${entry.at}\n`);
  return {
    seed,
    faults,
    violations: [...new Set(ledger.violations)],
    acks: ledger.acks,
    duplicates: ledger.duplicates,
    refusals: ledger.refused.length,
    events: schedule.events,
    entries: feed.length,
    happened: world.happened,
    trace: trace.digest('hex').slice(0, 16),
  };
}
