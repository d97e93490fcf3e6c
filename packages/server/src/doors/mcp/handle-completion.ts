import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { complete } from './completion.js';
import type { McpDependencies } from './dependencies.js';
import type { McpServerOptions } from './mcp-server.js';
import { findPrompt } from './prompts/prompts.js';
import { admittedCaller } from './request-rate.js';
import { templatesOf } from './resources/address.js';

export function handleCompletion(
  server: Server,
  deps: McpDependencies,
  options: Pick<McpServerOptions, 'caller' | 'connection'>,
): void {
  const { kinds, prompts } = deps;
  const caller = admittedCaller(deps, options.caller);
  const isKnown = (ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string }) =>
    ref.type === 'ref/prompt'
      ? findPrompt(prompts, ref.name) !== undefined
      : kinds.some((kind) => templatesOf(kind).includes(ref.uri));
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }, context) => {
    const principal = caller(context);
    if (!isKnown(ref))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is nothing of that name to complete');
    const from = { principal, connection: options.connection(context) };
    return { completion: await complete(deps, from, argument.name, argument.value) };
  });
}
