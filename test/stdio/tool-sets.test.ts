/** Which tools an assistant sees, and which it may call: real processes on one server. */
import type { Client } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { call } from '../kit/mcp-clients.js';
import { TOOL_NAMES, tokensOf } from '../mcp/support/tool-names.js';
import { run, useAssistants } from './support.js';

const { folder, open } = useAssistants();
const listed = async (client: Client) => (await client.listTools()).tools;
const namesOf = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);

const DEFAULT = [...TOOL_NAMES.handoff, ...TOOL_NAMES.admin];
const BUDGET = { inAll: 4_400, ofOne: 750 };

it.each(['legacy', 'modern'] as const)(
  'assistants:T1 the default list, within its budget (%s)',
  async (era) => {
    const tools = await listed(await open({ name: `Default ${era}`, era }));
    expect(namesOf(tools)).toEqual(DEFAULT);
    expect(tokensOf({ tools })).toBeLessThanOrEqual(BUDGET.inAll);
    for (const tool of tools) expect([tool.name, tokensOf(tool) <= BUDGET.ofOne]).toEqual([tool.name, true]);
  },
);

it('assistants:T2 assistants:T4 each connection has its own sets; what is not listed is called by name, if it may be', async () => {
  const [few, byEnvironment, both] = await Promise.all([
    open({ name: 'few', args: ['--toolsets', 'handoff'], env: { HANDOVER_TOOLSETS: 'admin' } }),
    open({ name: 'env', env: { HANDOVER_TOOLSETS: 'lifecycle' } }),
    open({ name: 'both', args: ['--toolsets', 'admin, handoff'] }),
  ]);
  expect(namesOf(await listed(few))).toEqual(TOOL_NAMES.handoff);
  expect(namesOf(await listed(byEnvironment))).toEqual(TOOL_NAMES.lifecycle);
  expect(namesOf(await listed(both))).toEqual(DEFAULT);
  expect(await call(few, 'listHandoffs')).toMatchObject({ success: true, handoffs: [] });
  const refused = await call(few, 'getConfiguration');
  expect(refused).toMatchObject({ errorCode: 'FORBIDDEN', details: { requiredScope: 'handoff:admin' } });
  expect(refused.error).toContain('start it with --toolsets admin (handoff,admin keeps what it has)');
  expect(await call(both, 'getConfiguration')).toMatchObject({ success: true });
  await expect(few.readResource({ uri: 'handoff://configuration' })).rejects.toThrow(/--toolsets admin/);
});

it('an unknown set, and a project that is no folder, are refused at the start', async () => {
  const command = ['mcp', '--data-dir', folder];
  const unknown = await run([...command, '--toolsets', 'handoff,more']);
  expect(unknown).toMatchObject({ code: 1, stdout: '' });
  expect(unknown.stderr).toContain('handoff, lifecycle, admin, operations, xdala');
  const nowhere = await run([...command, '--project', '/no/such/folder']);
  expect(nowhere).toMatchObject({ code: 1, stdout: '' });
  expect(nowhere.stderr).toContain('--project');
});
