/**
 * A caller whose scopes stand in a JWT and do not suffice gets 403 with what to ask the issuer for, in the form that MCP
 * clients know (RFC 6750), before any answer begins. Other callers cannot get more scopes that way: for them the same
 * refusal is the answer of the tool or of the resource.
 */
import type { Principal } from '../../../auth/principal.js';
import type { McpDependencies } from '../dependencies.js';
import { locate } from '../resources/address.js';
import type { RpcMessage } from './rpc-message.js';

export interface MissingScope {
  readonly scope: string;
  /** What was asked for, for the security log. */
  readonly action: string;
}

export function missingScope(
  deps: Pick<McpDependencies, 'tools' | 'kinds'>,
  message: RpcMessage,
  principal: Principal,
): MissingScope | undefined {
  if (principal.canAskForScopes !== true) return undefined;
  const needed = neededScope(deps, message);
  return needed && !principal.scopes.has(needed.scope) ? needed : undefined;
}

function neededScope(
  { tools, kinds }: Pick<McpDependencies, 'tools' | 'kinds'>,
  { method, params }: RpcMessage,
): MissingScope | undefined {
  if (method === 'tools/call' && typeof params?.name === 'string') {
    const tool = tools.find(params.name);
    return tool && { scope: tool.scope, action: tool.name };
  }
  if (method === 'resources/read' && typeof params?.uri === 'string') {
    const kind = locate(kinds, params.uri)?.kind;
    return kind && { scope: kind.scope, action: `read ${kind.name}` };
  }
  return undefined;
}
