/** The pages about MCP are programs: each is run as it stands against a real server. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ALL_SCOPES } from '../../packages/server/src/auth/scopes.js';
import { PROMPTS } from '../../packages/server/src/doors/mcp/prompts/prompts.js';
import { useMcpServer } from './support/mcp-server.js';

const docs = new URL('../../docs/', import.meta.url);
const folder = new URL('../../node_modules/.cache/handover-mcp-docs/', import.meta.url);
const server = await useMcpServer();

function blocksOf(page: string): readonly string[] {
  const text = readFileSync(new URL(page, docs), 'utf8');
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = '']) => block);
}

async function run(page: string, program: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const file = fileURLToPath(new URL(`${page.replaceAll('/', '-')}.mts`, folder));
  writeFileSync(file, program);
  // The address of this server, and of the page what is asked of it.
  const [, query = ''] = /'http:\/\/127\.0\.0\.1:3100\/mcp(\?toolsets=[a-z,]+)'/.exec(program) ?? [];
  expect(query, page).not.toBe('');
  const env = { ...process.env, HANDOVER_MCP_URL: new URL(query, server.url).href };
  await promisify(execFile)(process.execPath, ['--import', 'tsx', file], { env, timeout: 50_000 });
}

it('api-reference.md: the first block is shared, each of the others stands alone', async () => {
  const [shared = '', ...examples] = blocksOf('api-reference.md');
  expect(examples.length).toBeGreaterThan(6);
  await run('api-reference.md', [shared, ...examples.map((block) => `{\n${block}}\n`)].join('\n'));
});

it.each(['sessions', 'context', 'handoff', 'configuration', 'resources'])(
  'usage/%s.md is one program',
  async (name) => {
    const blocks = blocksOf(`usage/${name}.md`);
    expect(blocks.length).toBeGreaterThan(3);
    await run(`usage/${name}.md`, blocks.join('\n'));
  },
);

it('assistants:1.1 every example over HTTP names the tools that the client should list', () => {
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.md'),
  );
  const shown = pages
    // What was measured and decided is told as it was.
    .filter((path) => !/^(?:decisions|reports)\//.test(path))
    .flatMap((path) =>
      readFileSync(new URL(path, docs), 'utf8')
        .split('\n')
        .filter((line) => /:\d+\/mcp/.test(line))
        .map((line) => `${path}: ${line}`),
    );
  expect(shown.length).toBeGreaterThan(7);
  expect(shown.filter((line) => !/:\d+\/mcp\?toolsets=handoff\b/.test(line))).toEqual([]);
});

it('assistants:7.7 the reference names the prompts with their arguments, and the guides every scope', () => {
  const textOf = (page: string) => readFileSync(new URL(page, docs), 'utf8');
  const reference = textOf('api-reference.md');
  for (const { prompt } of PROMPTS) {
    const args = prompt.arguments?.map(({ name }) => `\`${name}\``).join(', ');
    expect(reference).toContain(`\n- \`${prompt.name}\` (${args})`);
  }
  for (const page of ['guide/mcp.md', 'running/running.md'])
    for (const scope of ALL_SCOPES) expect(textOf(page)).toContain(`\`${scope}\``);
});
