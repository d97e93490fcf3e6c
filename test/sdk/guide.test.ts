/** The guide's code blocks are one program, and it runs. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { useServer } from './support/server.js';

const guide = readFileSync(new URL('../../docs/guide/sdk-typescript.md', import.meta.url), 'utf8');
const folder = new URL('../../node_modules/.cache/handover-guide/', import.meta.url);
const server = useServer();

it('runs as written', async () => {
  const blocks = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block);
  expect(blocks.length).toBeGreaterThan(4);
  mkdirSync(folder, { recursive: true });
  const file = fileURLToPath(new URL('guide.mts', folder));
  writeFileSync(file, blocks.join('\n'));
  const env = { ...process.env, HANDOVER_ADDRESS: server.address() };
  await promisify(execFile)(process.execPath, ['--import', 'tsx', file], { env, timeout: 30_000 });
});
