/** The guide's transcript is what happens. To record it again: UPDATE_TRANSCRIPT=1 npx vitest run test/mcp/guide.test.ts */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { useMcpServer } from './support/mcp-server.js';
import { tellStory } from './support/story.js';

const guide = new URL('../../docs/guide/mcp.md', import.meta.url);
const TRANSCRIPT = /(<!-- transcript -->\n\n```text\n)(.*?)(\n```)/s;

it('one assistant hands over to another through `handover mcp`, as the guide shows', async () => {
  const told = await tellStory();
  const text = readFileSync(guide, 'utf8');
  if (process.env.UPDATE_TRANSCRIPT === '1')
    writeFileSync(
      guide,
      text.replace(TRANSCRIPT, (_, before, __, after) => before + told + after),
    );
  expect(TRANSCRIPT.exec(readFileSync(guide, 'utf8'))?.[2]).toBe(told);
});

it('a request without an SDK, as the guide writes it', async () => {
  const server = await useMcpServer();
  const block = /<!-- json-rpc -->\n\n```sh\n(.*?)\n```/s.exec(readFileSync(guide, 'utf8'))?.[1] ?? '';
  const headers = [...block.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  const body = /-d '(.*)'/s.exec(block)?.[1] ?? '';
  const answer = await fetch(server.url, { method: 'POST', headers: Object.fromEntries(headers), body });
  const { result } = (await answer.json()) as { result: { content: { text: string }[] } };
  expect(JSON.parse(result.content[0]?.text ?? '')).toMatchObject({
    success: true,
    session: { sessionKey: 'by-hand', owner: 'claude' },
  });
});
