import {
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Principal } from '../../../auth/principal.js';
import type { McpDependencies } from '../dependencies.js';
import { refuseCursor } from '../refuse-cursor.js';
import { admittedCaller } from '../request-rate.js';
import { findPrompt } from './prompts.js';

export function handlePrompts(
  server: Server,
  deps: McpDependencies,
  callerOf: (context: ServerContext) => Principal,
): void {
  const admit = admittedCaller(deps, callerOf);
  server.setRequestHandler('prompts/list', ({ params }, context) => {
    admit(context);
    refuseCursor(params);
    return { prompts: deps.prompts.map(({ prompt }) => prompt) };
  });
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: args = {} } }, context) => {
    admit(context);
    const spec = findPrompt(deps.prompts, name);
    if (!spec) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no prompt of that name');
    const known = spec.prompt.arguments?.map((argument) => argument.name) ?? [];
    if (Object.keys(args).some((given) => !known.includes(given)))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The arguments are ${known.join(' and ')}`);
    return spec.render(args, context.mcpReq.inputResponses);
  });
}
