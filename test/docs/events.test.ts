/** An operator finds every event of the log in the table. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const table = read('docs/running/running.md')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|')[1] ?? '')
  .join();

it('running.md names every event that the server writes, at any level but debug', () => {
  const events = ['packages/server/src', 'packages/engine/src']
    .flatMap((folder) =>
      readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).map(
        (path) => `${folder}/${path}`,
      ),
    )
    .filter((path) => path.endsWith('.ts') && !path.includes('.test.'))
    .flatMap((path) => [...read(path).matchAll(/log\??\.(?:info|warn|error)\(\s*'([a-z_.]+)'/gi)])
    .map(([, event = '']) => event);
  expect(new Set(events).size).toBeGreaterThan(30);
  expect([...new Set(events)].filter((event) => !table.includes(`\`${event}\``))).toEqual([]);
});
