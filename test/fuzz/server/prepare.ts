/** Makes one of everything, so that the very first cases have something to name. */
import { B1, S1 } from '../decoders/bundles.js';
import type { Json } from '../values/json.js';
import { CHAIN_ID } from './hostile-rpc.js';
import { messagesIn } from './judge.js';
import { callTool, headersOf, INITIALIZE, newerBody, newerHeaders, post } from './mcp-wire.js';
import type { ServerUnderTest } from './server-under-test.js';
import type { ToolSchema } from './tool-arguments.js';

const CHAIN = { network: 'testnet', chainId: CHAIN_ID };
export const OPERATION: Json = {
  ...CHAIN,
  type: 'erc20_transfer',
  summary: { title: 'Pay invoice INV-7' },
  steps: [
    { id: 's1', label: 'Transfer', txRequest: { to: `0x${'1'.repeat(40)}`, value: '0', data: '0xa9059cbb' } },
    { id: 's2', label: 'Again', txRequest: { to: `0x${'2'.repeat(40)}`, value: '1' } },
  ],
};

/** The server gives the handle. */
const { handle: _handle, ...start } = S1 as { [key: string]: Json };
export const START: Json = start;

export async function prepare(server: ServerUnderTest): Promise<void> {
  const call = async (as: string, name: string, args: Json) => {
    const answer = await callTool(server.http, server.bearer(as) ?? '', name, args);
    server.known.learn(answer);
    return answer;
  };
  for (const requestType of ['full_handoff', 'context_transfer', 'collaboration']) {
    const sessionKey = `prepared-${requestType}`;
    await call('alice', 'registerSession', { sessionKey, agentFrom: 'alice' });
    await call('alice', 'updateContext', {
      sessionKey,
      contextType: 'message',
      content: 'x',
      metadata: { note: { goal: 'g' } },
    });
    await call('alice', 'requestHandoff', { sessionKey, targetAgent: 'bob', requestType });
  }
  await call('bob', 'listHandoffs', { box: 'all' });
  for (const _ of [1, 2, 3]) await call('alice', 'create_operation_handoff', OPERATION);
  await call('alice', 'create_xdala_bundle_deploy_handoff', { ...CHAIN, bundle: B1 });
  await call('alice', 'create_xdala_session_start_handoff', { ...CHAIN, source: 'direct', request: START });
  await call('admin', 'manageConfigurationBackup', { action: 'create' });
  server.tools = await publishedTools(server);
  const opened = await post(server.http, headersOf(server.bearer('alice')), {
    jsonrpc: '2.0',
    id: 1,
    ...(INITIALIZE as object),
  } as Json);
  server.known.add('mcp', opened.headers.get('mcp-session-id') ?? '');
}

async function publishedTools(server: ServerUnderTest): Promise<readonly ToolSchema[]> {
  const asked = { method: 'tools/list' };
  const answer = await post(
    server.http,
    [...headersOf(server.bearer('admin')), ...newerHeaders(asked)],
    newerBody(asked),
  );
  const [said] = messagesIn(answer) as readonly { result: { tools: readonly ToolSchema[] } }[];
  if (!said) throw new Error(`tools/list: HTTP ${answer.status}`);
  return said.result.tools;
}
