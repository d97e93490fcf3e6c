/** The example of the page about the HTTP binding, run as written, and its list of streams and open calls. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { methods } from '@handover/wire';
import { expect, it } from 'vitest';
import { openServer } from '../kit/server.js';

const page = readFileSync(new URL('../../docs/reference/http-binding.md', import.meta.url), 'utf8');
const rules = readFileSync(new URL('../../docs/spec/macp-http.md', import.meta.url), 'utf8');
const [, script = ''] = /^```bash\n([\s\S]*?)^```$/m.exec(page) ?? [];
const tools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);

it.runIf(tools || process.env.CI)(
  'the example hands over, from the first call to the last event',
  async () => {
    const server = await openServer();
    try {
      const own = script.replace('http://127.0.0.1:3100', server.httpUrl);
      const { stdout } = await promisify(execFile)('bash', ['-e', '-c', own]);
      const [initialized, ...said] = stdout.split('\n').filter((line) => line.startsWith('{'));
      expect(JSON.parse(initialized ?? '')).toMatchObject({ selected_protocol_version: '1.0' });
      const acks = said
        .slice(0, 4)
        .map((line) => JSON.parse(line).ack as { ok: boolean; session_state: string });
      expect(acks.map(({ ok }) => ok)).toEqual([true, true, true, true]);
      expect(acks.at(-1)?.session_state).toBe('SESSION_STATE_RESOLVED');
      expect(JSON.parse(said[4] ?? '').metadata).toMatchObject({ initiator: 'alice' });
      expect(stdout.match(/^id: \d+$/gm)).toEqual(['id: 1', 'id: 2', 'id: 3', 'id: 4']);
      expect(stdout).toContain('"payload":{"commitment_id":"c1"');
    } finally {
      await server.close();
    }
  },
);

it('the rules name every stream', () => {
  const section = rules.slice(rules.indexOf('### 17.3'), rules.indexOf('### 17.4'));
  const streams = Object.values(methods).filter(({ responseStream }) => responseStream);
  for (const { name } of streams) expect(section).toContain(name);
});
