/** assistants:1.3 an argument that a tool does not know is refused, whatever its name, at every depth, however it came. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, describe, expect, it } from 'vitest';
import { call, connectHttp, connectStdioAs, ERAS, newDataFolder } from '../kit/mcp-clients.js';
import { openServer } from '../kit/server.js';
import { cleanUp } from '../stdio/support.js';

const server = await openServer();
const folder = newDataFolder();
afterAll(async () => {
  await server.close(AbortSignal.timeout(1_000));
  await cleanUp(folder);
});

/** Written as JSON: in an object literal the name would mean the prototype. */
const json = (text: string) => JSON.parse(text) as Record<string, unknown>;
const NAMES = ['__proto__', ' __proto__', 'constructor', 'toString', 'prototype', 'other'];
const WAYS: readonly [string, (era: (typeof ERAS)[number]) => Promise<Client>][] = [
  ['HTTP', (era) => connectHttp(new URL('/mcp', server.httpUrl), 'claude', era)],
  ['stdio', (era) => connectStdioAs('claude', folder, era)],
];

describe.each(ERAS)('%s', (era) => {
  it.each(WAYS)('over %s', async (_, connect) => {
    const client = await connect(era);
    for (const name of NAMES)
      for (const value of ['{"a":1}', '1', 'null', '["x"]']) {
        const refused = await call(client, 'whoAmI', json(`{"${name}":${value}}`));
        const [issue] = refused.details?.issues ?? [];
        expect([name, value, refused.errorCode, issue?.field.trim(), issue?.message]).toEqual([
          ...[name, value, 'VALIDATION_ERROR', name.trim()],
          'is not a known argument',
        ]);
      }
    const within = `{"to":"codex","goal":"x","attachments":[{"name":"a","content":"b","__proto__":{"c":1}}]}`;
    const nested = await call(client, 'handOff', json(within));
    expect(nested).toMatchObject({
      errorCode: 'VALIDATION_ERROR',
      details: { issues: [{ field: 'attachments.0.__proto__' }] },
    });
    expect((await call(client, 'listSessions')).sessions).toEqual([]);
    expect(await call(client, 'whoAmI')).toMatchObject({ success: true });
    await client.close();
  });
});
