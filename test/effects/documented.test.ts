/** docs/running/webhooks.md, as written: its file is taken by the server, its receiver takes what the server sends. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { readConfiguration } from '../../packages/server/src/config/configuration.js';
import { bodyOf } from '../../packages/server/src/effects/webhooks/post-webhook.js';

const page = readFileSync(new URL('../../docs/running/webhooks.md', import.meta.url), 'utf8');
const block = (language: string, index = 0): string =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))][index]?.[1] ?? '';

it('the page works as it says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'handover-docs-'));
  try {
    const file = join(folder, 'webhooks.json');
    writeFileSync(file, block('json'), { mode: 0o600 });
    const { webhooks } = readConfiguration(
      { HANDOVER_WEBHOOKS_FILE: file, MACP_MEMORY_ONLY: '1' },
      { dev: true },
    );
    expect(webhooks.map(({ url, events }) => [url, events.size])).toEqual([
      ['https://example.com/handover', 14],
      ['https://pager.example/in', 2],
    ]);
    const receiver = join(folder, 'receiver.mjs');
    writeFileSync(receiver, block('js'));
    const { isGenuine } = (await import(pathToFileURL(receiver).href)) as {
      isGenuine(headers: Record<string, string>, body: string, secret: string): boolean;
    };
    const { secret } = JSON.parse(block('json')).webhooks[0] as { secret: string };
    const shown = JSON.parse(block('json', 1));
    const body = bodyOf({
      id: 'msg_1',
      type: shown.type,
      at: Date.parse(shown.timestamp),
      tenant: 'default',
      data: shown.data,
    });
    expect(JSON.parse(body)).toEqual(shown);
    const seconds = Math.floor(Date.now() / 1000);
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(seconds),
      'webhook-signature': webhooks[0]?.sign('msg_1', seconds, body) ?? '',
    };
    expect(isGenuine(headers, body, secret)).toBe(true);
    expect(isGenuine(headers, body.replace('offered', 'accepted'), secret)).toBe(false);
    expect(isGenuine({ ...headers, 'webhook-timestamp': '1' }, body, secret)).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
