import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { refuseCursor } from '../refuse-cursor.js';
import { PROMPTS } from './prompts.js';

export function handlePrompts(server: Server): void {
  server.setRequestHandler('prompts/list', ({ params }) => {
    refuseCursor(params);
    return { prompts: PROMPTS.map(({ prompt }) => prompt) };
  });
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: args = {} } }) => {
    const spec = PROMPTS.find(({ prompt }) => prompt.name === name);
    if (!spec) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no prompt of that name');
    const missing = spec.prompt.arguments?.find((argument) => argument.required && !args[argument.name]);
    if (missing)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The argument ${missing.name} is missing`);
    return spec.render(args);
  });
}
