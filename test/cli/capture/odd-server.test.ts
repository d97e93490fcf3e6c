/** A server elsewhere may answer anything; what it says is shown to a model, or written down. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { remoteTarget } from '../../../packages/server/src/cli/capture/remote-target.js';
import type { CaptureRequest } from '../../../packages/server/src/services/handoffs/capture-request.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';
import { until } from '../../kit/until.js';
import { json, ScriptedServer } from '../../stdio/remote-support.js';
import { run } from '../../stdio/support.js';

let server: ScriptedServer;
beforeEach(async () => {
  server = new ScriptedServer(() => undefined);
  await server.open();
});
afterEach(() => server.close());

describe('a server that says too much', () => {
  it.each([
    ['lines', 1_200],
    ['brief', 7_202],
  ])(
    'assistants:V1 is cut at the start of a conversation to what ours would say: %s',
    async (autoload, most) => {
      const text = `A\u001b[31m\u202e\u200b\n${'long '.repeat(100_000)}`;
      server.answer = (_heard, response) => json(response, 200, { text });
      const home = temporaryFolder();
      const { stdout } = await until(
        () =>
          run(['hook', 'session-start', '--client', 'claude', '--agent', 'ann', '--server', server.url], {
            env: { HOME: home, HANDOVER_DATA_DIR: `${home}/data`, HANDOVER_AUTOLOAD: autoload },
            input: JSON.stringify({ session_id: 'one', cwd: home, source: 'startup' }),
          }),
        (ran) => ran.stdout !== '',
      );
      const told: string = JSON.parse(stdout).hookSpecificOutput.additionalContext;
      expect(told).toMatch(/^A\[31m\nlong long /);
      expect(told).toHaveLength(most);
    },
  );

  it('names no session by a key that none can have', async () => {
    const target = remoteTarget({ server: server.url, agent: 'ann' }, () => undefined);
    const keyOf = async (sessionKey: unknown) => {
      server.answer = (_heard, response) => json(response, 200, { stored: true, sessionKey });
      return (await target.capture({ park: false } as CaptureRequest)).sessionKey;
    };
    expect(await keyOf('k'.repeat(255))).toHaveLength(255);
    for (const odd of ['k'.repeat(256), 'a\u0000b', '', 7, { a: 1 }])
      expect(await keyOf(odd)).toBeUndefined();
  });
});
