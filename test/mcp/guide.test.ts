/** The guide's transcript is what happens. To record it again: UPDATE_TRANSCRIPT=1 npx vitest run test/mcp/guide.test.ts */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
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
