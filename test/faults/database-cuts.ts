/**
 * `npm run faults -- --cuts 400 --seed 7`: connections to PostgreSQL that are lost around COMMIT, in every way that the
 * proxy knows, while two nodes write. Afterwards the log must hold what was answered as stored, once, and nothing else.
 */
import { parseArgs } from 'node:util';
import { BEGINNING, type Store } from '@handover/engine';
import { append, entryOf, streamRef } from '../../packages/engine/src/store-contract.js';
import { openPostgresStore } from '../../packages/server/src/store/postgres/index.js';
import { freshSchema, ownPostgres } from '../kit/postgres/fresh.js';
import { type Fault, PostgresProxy } from '../kit/postgres/proxy.js';
import { randomFrom } from '../sim/random.js';

const FAULTS: [Fault, ...Fault[]] = ['before', 'at', 'answer', 'late'];
const { values } = parseArgs({
  options: { cuts: { type: 'string', default: '400' }, seed: { type: 'string', default: '1' } },
});
const random = randomFrom(Number(values.seed));
const tally = { cuts: 0, stored: 0, absent: 0, conflicts: 0, unknown: 0 };
const acknowledged = new Set<string>();
const refused = new Set<string>();

class Writer {
  readonly #store: Store;
  readonly #name: string;
  readonly #heads = new Map<string, number>();
  #count = 0;

  constructor(store: Store, name: string) {
    this.#store = store;
    this.#name = name;
  }

  async write(id: string): Promise<void> {
    const ref = streamRef(id);
    const messageId = `${this.#name}-${++this.#count}`;
    const known = { seq: this.#heads.get(id) ?? 0, at: 0, hash: '' };
    let head = known.seq;
    try {
      const outcome = await this.#store.commit(
        { streams: [{ ref, known, access: 'write' }], messageIds: [] },
        ({ tails, skipped }) => {
          if (skipped.size > 0) return [];
          for (const tail of tails.values()) head = tail.at(-1)?.seq ?? head;
          head++;
          return [append(ref, [entryOf(ref, head, { messageId })])];
        },
      );
      if (outcome.kind === 'stored' && head > known.seq) {
        this.#heads.set(id, head);
        acknowledged.add(`${id} ${messageId}`);
        tally.stored++;
      } else if (outcome.kind === 'conflict') {
        this.#heads.delete(id);
        refused.add(`${id} ${messageId}`);
        tally.conflicts++;
      } else if (outcome.kind === 'notStored') {
        refused.add(`${id} ${messageId}`);
        tally.absent++;
      }
    } catch {
      this.#heads.delete(id);
      tally.unknown++;
    }
  }
}

const direct = await freshSchema('own');
const server = await ownPostgres();
const proxy = await PostgresProxy.start(server.socketFolder);
const stores = await Promise.all([proxy.url(direct), direct].map((url) => openPostgresStore({ url })));
const [cut, beside] = stores.map((store, i) => new Writer(store, `node-${i}`));
const cuts = Number(values.cuts);
let isOver = false;
const other = (async () => {
  while (!isOver) await beside?.write(`s-${random.below(8)}`);
})();
while (proxy.done < cuts) {
  const fault = random.pick(FAULTS);
  const before = proxy.done;
  proxy.next(fault);
  while (proxy.done === before) await cut?.write(`s-${random.below(8)}`);
  if (fault === 'late') await proxy.release();
}
isOver = true;
await other;
tally.cuts = proxy.done;

const found = (await stores[1]?.feed(BEGINNING, 10_000_000)) ?? [];
const times = new Map<string, number>();
const last = new Map<string, number>();
let flaws = 0;
for (const { entry } of found) {
  const key = `${entry.stream.id} ${entry.messageId}`;
  times.set(key, (times.get(key) ?? 0) + 1);
  if (entry.seq !== (last.get(entry.stream.id) ?? 0) + 1) flaws++;
  last.set(entry.stream.id, entry.seq);
}
const lost = [...acknowledged].filter((key) => times.get(key) !== 1).length;
const wrong = [...refused].filter((key) => times.has(key)).length;
console.log(JSON.stringify({ ...tally, entries: found.length, lost, wrong, outOfOrder: flaws }));
await Promise.all(stores.map((store) => store.close()));
await proxy.stop();
await server.stop();
process.exitCode = lost + wrong + flaws === 0 ? 0 : 1;
