/** The guide runs as written: its two programs against each other, and its other blocks as one program. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { until } from '../kit/until.js';
import { useServer } from './support/server.js';

const guide = readFileSync(new URL('../../docs/guide/sdk-typescript.md', import.meta.url), 'utf8');
const cache = new URL('../../node_modules/.cache/handover-guide/', import.meta.url);
const programs = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = '']) => block);
const isNamed = (block: string) => /^\/\/ \w+\.ts\n/.test(block);

const named = (name: string) => programs.find((block) => block.startsWith(`// ${name}.ts\n`)) ?? '';
const printed = (name: string) => new RegExp(`^\`\`\`text ${name}\\n(.*?)^\`\`\`$`, 'ms').exec(guide)?.[1];

describe('the guide', () => {
  const server = useServer();
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(fileURLToPath(new URL('run-', cache)));

  function write(name: string, text: string): readonly string[] {
    writeFileSync(`${folder}/${name}.mts`, text);
    return ['--import', 'tsx', `${folder}/${name}.mts`];
  }
  const how = () => ({ cwd: folder, env: { ...process.env, HANDOVER_ADDRESS: server.address() } });

  it('hands over from one process to another, as it says', async () => {
    const worker = spawn(process.execPath, write('worker', named('worker')), how());
    let said = '';
    const hear = (chunk: Buffer) => {
      said += chunk;
    };
    worker.stdout.on('data', hear);
    worker.stderr.on('data', hear);
    const owner = await promisify(execFile)(process.execPath, write('owner', named('owner')), {
      ...how(),
      timeout: 40_000,
    });
    expect(owner.stdout).toBe(printed('owner'));
    await until(
      () => said,
      (text) => text === printed('worker'),
    );
    worker.kill('SIGINT');
    const [code] = await once(worker, 'exit');
    expect([code, said]).toEqual([0, printed('worker')]);
  });

  it('runs as written', async () => {
    const blocks = programs.filter((block) => !isNamed(block));
    expect(blocks.length).toBeGreaterThan(6);
    const args = write('guide', blocks.join('\n'));
    await promisify(execFile)(process.execPath, args, { ...how(), timeout: 40_000 });
  });
});
