import {
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Principal } from '../../auth/principal.js';
import { complete } from './completion.js';
import type { McpDependencies } from './dependencies.js';
import { findPrompt } from './prompts/prompts.js';
import { admittedCaller } from './request-rate.js';
import { templatesOf } from './resources/address.js';

export function handleCompletion(
  server: Server,
  deps: McpDependencies,
  callerOf: (context: ServerContext) => Principal,
): void {
  const { handoffs, kinds } = deps;
  const caller = admittedCaller(deps, callerOf);
  const isKnown = (ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string }) =>
    ref.type === 'ref/prompt'
      ? findPrompt(ref.name) !== undefined
      : kinds.some((kind) => templatesOf(kind).includes(ref.uri));
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }, context) => {
    const principal = caller(context);
    if (!isKnown(ref))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is nothing of that name to complete');
    return { completion: await complete(handoffs, principal, argument.name, argument.value) };
  });
}
