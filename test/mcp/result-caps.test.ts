/** No result of a tool is larger than its cap, whatever is stored; what does not fit comes with `next` and `nextCursor`. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fixedLimits } from '../../packages/server/src/config/fixed-limits.js';
import { searchContext } from '../../packages/server/src/doors/mcp/tools/search-context.js';
import { pageToken } from '../../packages/server/src/services/page-token.js';
import { plainConnection } from '../kit/connections.js';
import { alice } from '../kit/principals.js';
import { heavyStory } from './support/heavy-story.js';
import { tokensOf } from './support/tool-names.js';
import { openToolWorld } from './support/tool-world.js';

const heavy = fc.record({
  letter: fc.constantFrom('x', 'ß', '漢', '"', '\\', '😀'),
  keyLength: fc.constantFrom(20, 255),
  reasonLength: fc.constantFrom(1, 300, 4_096),
  files: fc.constantFrom(0, 200),
  entries: fc.array(fc.constantFrom(10, 3_000, 30_000), { minLength: 1, maxLength: 25 }),
  offers: fc.integer({ min: 1, max: 30 }),
  maxTokens: fc.constantFrom(1_500, 6_000, 20_000),
});

it('assistants:G1 results stay within their caps, and following them gives everything once', async () => {
  await fc.assert(
    fc.asyncProperty(heavy, async (one) => {
      const world = openToolWorld();
      await heavyStory(world, one);
      await world.engine.close();
    }),
    // Other data in each run. A failure names its seed; SEED=… runs it again.
    { numRuns: 4, endOnFailure: true, ...(process.env.SEED && { seed: Number(process.env.SEED) }) },
  );
}, 120_000);

it('assistants:G1 the longest of everything, with an entry of a mebibyte', async () => {
  const world = openToolWorld();
  await heavyStory(world, {
    letter: '漢',
    keyLength: 255,
    reasonLength: 4_096,
    files: 200,
    entries: [10, 349_000, 10],
    offers: 25,
    maxTokens: 20_000,
  });
  await world.engine.close();
}, 60_000);

it('assistants:G1 a page of hits that is full, with the longest cursor', async () => {
  const hit = {
    sessionKey: 's',
    sequenceNumber: 1,
    contextType: 'message',
    createdAt: 1_800_000_000_000,
    author: 'a',
  };
  const room =
    Math.floor(fixedLimits.searchAnswerBytes.value / 50) - JSON.stringify({ ...hit, snippet: '' }).length;
  const hits = Array.from({ length: 50 }, () => ({ ...hit, snippet: 'x'.repeat(room) }));
  const place = JSON.stringify([1_800_000_000_000, Number.MAX_SAFE_INTEGER, '漢'.repeat(255)]);
  const page = { hits, complete: false, nextCursor: pageToken('search', place) };
  const handoffs = { searchContext: async () => ({ value: page }) };
  const tool = searchContext({ handoffs } as never);
  const call = {
    principal: alice,
    connection: plainConnection,
    signal: AbortSignal.timeout(1),
    progress() {},
  };
  const outcome = await tool.run({ query: 'x' }, call);
  expect('value' in outcome && tokensOf({ success: true, ...outcome.value })).toBeLessThanOrEqual(3_000);
});
