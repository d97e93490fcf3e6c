/** docs/reports/mcp-tokens.md is measured here: `npx vitest run test/mcp/tokens.test.ts -u`. */
import { expect, it } from 'vitest';
import { TOOL_SETS, type ToolSetName } from '../../packages/server/src/auth/tool-sets.js';
import { RESULT_TOKENS } from '../../packages/server/src/doors/mcp/tools/result-tokens.js';
import { plainConnection } from '../kit/connections.js';
import { describedTools } from '../kit/mcp-results.js';
import { admin } from '../kit/principals.js';
import { heavyStory } from './support/heavy-story.js';
import { tokensOf } from './support/tool-names.js';
import { openToolWorld } from './support/tool-world.js';

const LONGEST = {
  ...{ letter: '漢', keyLength: 255, reasonLength: 4_096, files: 200 },
  ...{ entries: [10, 30_000, 10], offers: 25, maxTokens: 6_000 },
};

const listed = (sets: readonly ToolSetName[]) => {
  const tools = describedTools().listFor(admin('reader'), { ...plainConnection, toolsets: new Set(sets) });
  return { count: tools.length, tokens: tokensOf({ tools }), most: Math.max(...tools.map(tokensOf)) };
};

const row = (...cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;

function setRows(): readonly string[] {
  const sets: readonly (readonly ToolSetName[])[] = [['handoff', 'admin'], ...TOOL_SETS.map((set) => [set])];
  return sets.map((names) => {
    const { count, tokens, most } = listed(names);
    return row(names.map((name) => `\`${name}\``).join(', '), count, tokens, most);
  });
}

it('assistants:T1 assistants:G1 the table of tokens is what is listed and answered', async () => {
  const { tokens, most } = listed(['handoff', 'admin']);
  expect(tokens).toBeLessThanOrEqual(4_400);
  expect(most).toBeLessThanOrEqual(750);
  const world = openToolWorld();
  await heavyStory(world, LONGEST);
  await world.engine.close();
  const results = Object.entries(RESULT_TOKENS).map(([name, cap]) => {
    const measured = world.largest.get(name as keyof typeof RESULT_TOKENS);
    if (measured === undefined) throw new Error(`${name} was not measured`);
    expect(measured, name).toBeLessThanOrEqual(cap);
    // Lists begin with what has the first of random ids: another each time.
    const step = name.startsWith('list') ? 500 : 100;
    return row(`\`${name}\``, Math.ceil(measured / step) * step, cap);
  });
  const page = `# Tokens of MCP

Measured by \`npx vitest run test/mcp/tokens.test.ts -u\`; the test fails when the page is no longer true. A token is a quarter of the bytes,
always an estimate.

## What is listed

\`tools/list\` with annotations and schemas, as a client reads it. \`handoff\` and \`admin\` are what an assistant has over \`handover mcp\`; they may
have 4,400 tokens, and one of their tools 750.

| sets | tools | tokens | the largest tool |
| --- | --- | --- | --- |
${setRows().join('\n')}

## What is answered

The largest result in a story where everything is as long as it may be (keys of 255 characters, reasons of 4,096, 200 files, names of 256
bytes, ids of another program), rounded up to 100 tokens (lists to 500), beside what a result may have. \`resume\` (an offer, own work, and work that was
left), \`readContext\` and \`getHandoff\` are asked for 6,000. The
caps are held for any data by the property in \`test/mcp/result-caps.test.ts\`.

| tool | measured | at most |
| --- | --- | --- |
${results.join('\n')}
`;
  await expect(page).toMatchFileSnapshot('../../docs/reports/mcp-tokens.md');
}, 60_000);
