/** docs/reference/tools.md is written from what the server declares: `npx vitest run test/mcp/reference.test.ts -u`. */
import { afterAll, expect, it } from 'vitest';
import { connectHttp } from '../kit/mcp-clients.js';
import { useMcpServer } from './support/mcp-server.js';

const SETS = {
  handoff:
    'Working sessions and handoffs: what an assistant needs. In detail, with examples: [api-reference.md](../api-reference.md).',
  lifecycle: 'Handoffs step by step, for programs that follow each of them.',
  admin: 'The settings of the server, for its administrator.',
  operations: 'Transactions that a person signs. How it works: [operations.md](../guide/operations.md).',
  xdala: 'Deploying bundles and starting process sessions on XGR chains, and reading what is there.',
} as const;

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

/** Text in a cell of a table. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const typeOf = ({ type, enum: words }: Schema): string =>
  words ? words.map((word) => `\`${word}\``).join(', ') : type ? [type].flat().join(' or ') : 'any';

/** A row for each member, and below it those of what it holds: `a.b`, `list[].c`. */
function rowsOf({ properties = {}, required = [] }: Schema, path = ''): readonly string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const full = path + name;
    const needed = required.includes(name) ? 'yes' : '';
    const row = `| \`${full}\` | ${cell(typeOf(schema))} | ${needed} | ${cell(schema.description ?? '')} |`;
    return [row, ...rowsOf(schema, `${full}.`), ...rowsOf(schema.items ?? {}, `${full}[].`)];
  });
}

function argumentsOf(schema: Schema): string {
  const rows = rowsOf(schema);
  if (rows.length === 0) return 'No arguments.';
  return ['| argument | type | required | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

async function sectionOf(set: keyof typeof SETS): Promise<string> {
  const server = await useMcpServer({ env: { HANDOVER_TOOLSETS: set } });
  const client = await connectHttp(server.url, 'docs');
  afterAll(() => client.close());
  const { tools } = await client.listTools();
  expect(tools.length).toBeGreaterThan(0);
  const entries = tools.map(
    ({ name, description = '', inputSchema }) =>
      `### \`${name}\`\n\n${description}\n\n${argumentsOf(inputSchema as Schema)}`,
  );
  return [`## Set \`${set}\``, SETS[set], ...entries].join('\n\n');
}

const sections: string[] = [];
for (const set of Object.keys(SETS) as (keyof typeof SETS)[]) sections.push(await sectionOf(set));

it('the reference names every tool and every argument', async () => {
  const head = [
    '# The MCP tools',
    'Every tool, as the server declares it. `HANDOVER_TOOLSETS` of `handover serve` chooses the sets that there are; all are on by default. ' +
      'What a client lists: `handover mcp --toolsets` (`handoff,admin` by default) and `/mcp?toolsets=` (all by default). A tool that is not listed still answers by name.',
    'Results: those of the first three sets are in [api-reference.md](../api-reference.md); the others are described in ' +
      '[operations.md](../spec/operations.md). The `id` of an operation is the `operationId` of the tools that follow it.',
  ];
  const page = `${[...head, ...sections].join('\n\n')}\n`;
  await expect(page).toMatchFileSnapshot('../../docs/reference/tools.md');
});
