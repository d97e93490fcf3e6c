/** What the pool promises: few connections, few that wait, and nobody who waits for one that will not come. */
import { describe, expect, it } from 'vitest';
import { CannotConnect, type Connection } from './connection.js';
import { Lost } from './errors.js';
import { Pool } from './pool.js';
import type { Done } from './stage.js';

const STEP = { name: 'one', text: 'SELECT 1' };
const DONE: readonly Done[] = [{ rows: [['1']], tag: 'SELECT 1' }];

/** A connection as the pool sees it; it answers when it is told to. */
function fake() {
  const asked: { readonly answer: () => void; readonly lose: () => void }[] = [];
  const connection = {
    isLost: false,
    onLost: () => {},
    run: () =>
      new Promise<readonly Done[]>((resolve, reject) => {
        asked.push({
          answer: () => resolve(DONE),
          lose() {
            connection.isLost = true;
            connection.onLost();
            reject(new Lost('cut'));
          },
        });
      }),
    end: async () => {},
  };
  return { connection: connection as unknown as Connection, asked };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the pool', () => {
  it('opens no more connections than it may, and serves those who wait in order', async () => {
    const made: ReturnType<typeof fake>[] = [];
    const pool = new Pool(async () => {
      const one = fake();
      made.push(one);
      return one.connection;
    }, 2);
    const order: number[] = [];
    const reads = [0, 1, 2, 3].map((n) => pool.read([STEP]).then(() => order.push(n)));
    await turn();
    expect(made.length).toBe(2);
    for (let answered = 0; answered < 4; answered++) {
      made[answered % 2]?.asked.shift()?.answer();
      await turn();
    }
    await Promise.all(reads);
    expect([made.length, order]).toEqual([2, [0, 1, 2, 3]]);
    await pool.close();
  });

  it('asks once more when the connection is lost, and no third time', async () => {
    const made: ReturnType<typeof fake>[] = [];
    const pool = new Pool(async () => {
      const one = fake();
      made.push(one);
      return one.connection;
    }, 1);
    const read = pool.read([STEP]);
    await turn();
    made[0]?.asked[0]?.lose();
    await turn();
    made[1]?.asked[0]?.lose();
    await expect(read).rejects.toMatchObject({ code: 'OVERLOADED', next: 'retryable' });
    expect(made.length).toBe(2);
    const change = pool.change('the note', (connection) => connection.run([STEP]));
    await turn();
    made[2]?.asked[0]?.lose();
    await expect(change).rejects.toMatchObject({ code: 'UNKNOWN_OUTCOME', next: 'retryable' });
    expect(made.length, 'a change is never sent twice').toBe(3);
    await pool.close();
  });

  it('refuses when too many wait already', async () => {
    const pool = new Pool(async () => fake().connection, 1);
    const reads = Array.from({ length: 2_001 }, () => pool.read([STEP]).catch((thrown: unknown) => thrown));
    await turn();
    await expect(pool.read([STEP])).rejects.toMatchObject({
      code: 'OVERLOADED',
      shortMessage: 'too many reads wait for the database; try again',
    });
    await pool.close();
    const ended = await Promise.all(reads.slice(1));
    expect(ended.every((thrown) => thrown instanceof Error)).toBe(true);
  });

  it('tells everybody who waits that nobody can connect', async () => {
    let tries = 0;
    const pool = new Pool(async () => {
      tries++;
      await turn();
      throw new CannotConnect('no PostgreSQL answers');
    }, 1);
    const reads = [1, 2, 3].map(() => pool.read([STEP]));
    for (const read of reads)
      await expect(read).rejects.toMatchObject({ code: 'OVERLOADED', shortMessage: 'no PostgreSQL answers' });
    expect(tries).toBe(3);
  });
});
