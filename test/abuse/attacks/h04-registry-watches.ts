/** H4: watches of the registries, opened by nobody in particular: each makes every Send of everybody dearer. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { methods } from '@handover/wire';
import { cpuMs } from '../../bench/cpu-time.js';
import { context, offer, start } from '../../kit/envelopes.js';
import { Token, tokenOf } from '../arena/identities.js';
import type { Target } from '../arena/target.js';
import type { Attack } from '../attack.js';
import { inParallel, keepUp } from '../pace.js';
import { codeOfSend, grpcAs } from '../wire/macp.js';
import { ClosedWindow, endings, type StuckReader } from '../wire/stuck.js';

const NOTHING = new Uint8Array(0);
const PATHS = [methods.watchPolicies.path, methods.watchModeRegistry.path, methods.watchRoots.path];
/** Below the 128 streams that every build allows on a connection. */
const PER_CONNECTION = 100;
const SENDS = 40;

/** Opens watches, on as many connections as they need. */
class Watches {
  readonly readers: StuckReader[] = [];
  readonly #grpc: string;
  readonly #token: string | undefined;
  #window: ClosedWindow | undefined;
  #opened = 0;

  constructor(grpc: string, token?: string) {
    this.#grpc = grpc;
    this.#token = token;
  }

  open(): StuckReader {
    if (this.#opened % PER_CONNECTION === 0) this.#window = new ClosedWindow(this.#grpc);
    const path = PATHS[this.#opened++ % PATHS.length] ?? '';
    const reader = (this.#window as ClosedWindow).open(path, this.#token, NOTHING);
    this.readers.push(reader);
    return reader;
  }

  async openMany(count: number): Promise<string> {
    for (let n = 0; n < count; n++) {
      this.open();
      if (n % PER_CONNECTION === 0) await sleep(20);
    }
    await sleep(1_000);
    return Object.entries(endings(this.readers))
      .map(([how, many]) => `${many} ${how}`)
      .join(', ');
  }
}

export const registryWatches: Attack = {
  row: 'H4',
  title: 'registry watches',

  async probe({ serve, say }) {
    const target = await serve();
    await registerPolicy(target);
    say(`WatchPolicies without a credential: ${await policiesSeen(target.grpc)}`);
    await cpuOfSend(target);
    const alone = await cpuOfSend(target);
    const strangers = new Watches(target.grpc);
    say(`2,000 watches without a credential: ${await strangers.openMany(2_000)}`);
    const crowded = await cpuOfSend(target);
    say(`processor time of a Send: ${alone.toFixed(1)} ms alone, ${crowded.toFixed(1)} ms beside them`);
    const known = new Watches(target.grpc, Token.attacker);
    say(`500 watches of one identity: ${await known.openMany(500)}`);
  },

  async full({ target, over, got }) {
    const strangers = new Watches(target.grpc);
    const known = new Watches(target.grpc, Token.attacker);
    const sender = grpcAs(target.grpc, Token.attacker);
    await Promise.all([
      keepUp(over, { name: 'stranger', size: 5_000, perSecond: 500, open: () => strangers.open() }, got),
      keepUp(over, { name: 'attacker', size: 1_000, perSecond: 100, open: () => known.open() }, got),
      // Every entry of the log wakes whoever follows it.
      inParallel(over, 2, async () => {
        const code = await codeOfSend(
          sender,
          start(randomUUID(), 'attacker', { participants: ['attacker', 'accomplice'] }),
        );
        got(`SessionStart: ${code}`);
        await sleep(100);
      }),
    ]);
  },
};

async function registerPolicy({ grpc }: Target): Promise<void> {
  const admin = grpcAs(grpc, Token.admin);
  const policyDescriptor = {
    policyId: 'policy.secret-terms',
    mode: 'macp.mode.handoff.v1',
    description: 'ours alone',
    schemaVersion: 1,
    rules: '{}',
  };
  await admin.call('registerPolicy', { policyDescriptor });
  admin.close();
}

async function policiesSeen(grpc: string): Promise<string> {
  const nobody = grpcAs(grpc, null);
  const watch = nobody.watch('watchPolicies');
  const seen = await Promise.race([
    watch.next().then(({ descriptors }) => `shows ${descriptors.map(({ policyId }) => policyId).join(', ')}`),
    watch.statusName(),
    sleep(2_000, 'silence'),
  ]).catch(String);
  nobody.close();
  return seen;
}

/** Of a durable message of somebody else. */
async function cpuOfSend({ grpc, pid }: Target): Promise<number> {
  const owner = grpcAs(grpc, tokenOf('owner-0'));
  const sessionId = randomUUID();
  await owner.send(start(sessionId, 'owner-0', { participants: ['owner-0', 'helper-0'] }));
  await owner.send(offer(sessionId, 'h1', 'helper-0', 'owner-0'));
  const before = cpuMs(pid);
  for (let n = 0; n < SENDS; n++) await owner.send(context(sessionId, 'h1', 'x', 'owner-0'));
  owner.close();
  return (cpuMs(pid) - before) / SENDS;
}
