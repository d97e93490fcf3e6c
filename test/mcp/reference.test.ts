/** docs/reference/tools.md is written from what the server declares: `npx vitest run test/mcp/reference.test.ts -u`. */
import { afterAll, expect, it } from 'vitest';
import { connectHttp } from '../kit/mcp-clients.js';
import { useMcpServer } from './support/mcp-server.js';

const SETS = {
  handoff:
    'Working sessions and handoffs. In detail, with examples: [api-reference.md](../api-reference.md).',
  operations: 'Transactions that a person signs. How it works: [operations.md](../guide/operations.md).',
  xdala: 'Deploying bundles and starting process sessions on XGR chains, and reading what is there.',
} as const;

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** Text in a cell of a table. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const typeOf = ({ type, enum: words }: Schema): string =>
  words ? words.map((word) => `\`${word}\``).join(', ') : type ? [type].flat().join(' or ') : 'any';

function argumentsOf({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const needed = required.includes(name) ? 'yes' : '';
    return `| \`${name}\` | ${cell(typeOf(schema))} | ${needed} | ${cell(schema.description ?? '')} |`;
  });
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

const sections = [await sectionOf('handoff'), await sectionOf('operations'), await sectionOf('xdala')];

it('the reference names every tool and every argument', async () => {
  const head = [
    '# The MCP tools',
    'Every tool, as the server declares it. `HANDOVER_TOOLSETS` chooses the sets; all are on by default.',
  ];
  const page = `${[...head, ...sections].join('\n\n')}\n`;
  await expect(page).toMatchFileSnapshot('../../docs/reference/tools.md');
});
