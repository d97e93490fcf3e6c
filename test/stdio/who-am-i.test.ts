/** What an assistant is told of itself and of the others: real processes on one server. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { call } from '../kit/mcp-clients.js';
import { tokensOf } from '../mcp/support/tool-names.js';
import { run, useAssistants } from './support.js';

const { folder, open } = useAssistants();
const project = join(folder, 'work', 'shop');
mkdirSync(project, { recursive: true });

it('assistants:W1 whoAmI names the id that registerSession accepts, the project and whom one can hand work to', async () => {
  const claude = await open({ name: 'Claude Code', args: ['--project', project] });
  const me = await call(claude, 'whoAmI');
  expect(me).toMatchObject({
    agent: 'claude-code',
    instance: expect.stringMatching(/^[0-9a-f]{8}$/),
    project: { id: expect.stringMatching(/^dir:[0-9a-f]{16}$/), name: 'shop' },
    scopes: expect.arrayContaining(['handoff:read', 'handoff:admin']),
    toolsets: ['handoff', 'admin'],
    agents: [],
    waiting: { offers: 0, acceptances: 0 },
    server: { version: expect.any(String), since: expect.any(String) },
  });
  expect(me.warnings).toBeUndefined();
  expect(await call(claude, 'registerSession', { sessionKey: 'work' })).toMatchObject({
    ...{ success: false, errorCode: 'VALIDATION_ERROR' },
    error: expect.stringMatching(/agentFrom: .*; give your own agent id, "claude-code"$/),
    details: { field: 'agentFrom' },
  });
  const session = { sessionKey: 'work', agentFrom: me.agent };
  expect(await call(claude, 'registerSession', session)).toMatchObject({ success: true });
  const codex = await open({ name: 'Codex' });
  const offer = { sessionKey: 'work', targetAgent: 'codex', requestType: 'full_handoff' };
  await call(claude, 'requestHandoff', { ...offer, autoCommit: false });
  await call(claude, 'requestHandoff', {
    ...offer,
    targetAgent: 'never-here',
    requestType: 'context_transfer',
  });
  expect(await call(codex, 'whoAmI')).toMatchObject({ agent: 'codex', waiting: { offers: 1 } });
  await codex.close();
  const { agents } = await call(claude, 'whoAmI');
  // A name that only stood in an offer is nobody's.
  expect(agents).toEqual([{ agent: 'codex', connected: false, lastSeenAt: expect.any(String) }]);
});

it('assistants:N6 settings of a second assistant that differ are told, to it and on stderr', async () => {
  const env = { HANDOVER_HANDOFF_TTL_SECS: '61', MCP_SERVER_NAME: 'other' };
  const second = await open({ name: 'second', env });
  const { warnings } = await call(second, 'whoAmI');
  const warned = { code: 'SETTING_IGNORED', message: expect.stringContaining('"handover stop" ends it') };
  expect(warnings).toEqual([
    { ...warned, name: 'HANDOVER_HANDOFF_TTL_SECS' },
    { ...warned, name: 'MCP_SERVER_NAME' },
  ]);
  const input = `${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' })}\n`;
  const { stderr } = await run(['mcp', '--data-dir', folder], { input, openUntil: /"id":7[,}]/, env });
  expect(stderr).toContain(
    'HANDOVER_HANDOFF_TTL_SECS is ignored: the running server was started with another value',
  );
  expect(stderr).not.toContain('61');
});

it('assistants:G1 however many there are and whatever they are called, the answer keeps its size', async () => {
  const many = Array.from({ length: 40 }, (_, n) => [`HANDOVER_LONG_${'X'.repeat(80)}_${n}`, '1'] as const);
  const client = await open({ name: 'many', args: ['--project', project], env: Object.fromEntries(many) });
  for (let n = 0; n < 5; n++) await (await open({ name: `${'ä'.repeat(90)}-${n}` })).close();
  const answer = await call(client, 'whoAmI');
  expect(tokensOf(answer)).toBeLessThanOrEqual(1_200);
  expect(answer.agents.length).toBeGreaterThan(3);
  expect(answer.warnings.length).toBeGreaterThan(3);
});
