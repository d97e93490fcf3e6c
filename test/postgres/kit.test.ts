/** The kit itself: a server that starts anywhere, and ends with whoever started it. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, it } from 'vitest';
import { freshSchema } from '../kit/postgres/fresh.js';
import { until } from '../kit/until.js';

it('gives an empty schema for each store', async () => {
  const urls = [await freshSchema(), await freshSchema()];
  const schemas = await Promise.all(
    urls.map(async (connectionString) => {
      const client = new pg.Client({ connectionString });
      await client.connect();
      const { rows } = await client.query<{ name: string }>('SELECT current_schema() AS name');
      await client.end();
      return rows[0]?.name;
    }),
  );
  expect(schemas[0]).toMatch(/^test_/);
  expect(schemas[0]).not.toBe(schemas[1]);
});

it('ends the server, and removes its folder, when the test process is killed', async () => {
  const program = fileURLToPath(new URL('./support/hold-server.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [socketFolder, pid] = await new Promise<string[]>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`ended with ${code}`)));
    createInterface({ input: child.stdout }).once('line', (line) => resolve(line.split(' ')));
  });
  expect(existsSync(socketFolder ?? '')).toBe(true);
  child.removeAllListeners('exit');
  child.kill('SIGKILL');
  await until(() => !existsSync(socketFolder ?? '') && !isAlive(Number(pid)));
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
