import {
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
  TRACEPARENT_META_KEY,
} from '@modelcontextprotocol/server';
import { callTool } from './call-tool.js';
import { callWithReview } from './call-with-review.js';
import type { McpDependencies } from './dependencies.js';
import { withDerivedKey } from './derived-key.js';
import { lenientArguments } from './lenient-arguments.js';
import type { McpServerOptions } from './mcp-server.js';
import { refuseCursor } from './refuse-cursor.js';
import { traceIdOf } from './request-id.js';
import { admittedCaller } from './request-rate.js';
import type { Tool, ToolCall } from './tool.js';

export function handleTools(
  server: Server,
  deps: McpDependencies,
  { caller, connection }: Pick<McpServerOptions, 'caller' | 'connection'>,
): void {
  const admitted = admittedCaller(deps, caller);
  server.setRequestHandler('tools/list', ({ params }, context) => {
    const principal = admitted(context);
    refuseCursor(params);
    return { tools: [...deps.tools.listFor(principal, connection(context))] };
  });
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const tool = deps.tools.find(params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no tool of that name');
    deps.loop.entered(`mcp ${tool.name}`);
    const traceId = traceIdOf(context.mcpReq._meta?.[TRACEPARENT_META_KEY]);
    const from = connection(context);
    const call = callOf(deps, tool, context, { principal: caller(context), connection: from });
    const args = lenientArguments(tool, params.arguments ?? {});
    const keyed =
      from.repeats && from.instance !== undefined
        ? withDerivedKey(tool, args, from.instance, context.mcpReq.id)
        : args;
    const run = (one: Tool) => callTool(deps, one, keyed, call, traceId);
    const { review } = tool;
    return deps.calls.track(review ? callWithReview(server, tool, review, context, call, run) : run(tool));
  });
}

function callOf(
  { closing }: McpDependencies,
  tool: Tool,
  context: ServerContext,
  asking: Pick<ToolCall, 'principal' | 'connection'>,
): ToolCall {
  const { mcpReq, http } = context;
  const gone = http?.req?.signal;
  return {
    ...asking,
    // Only a tool that waits has to notice that its client has gone or that the door closes.
    signal: tool.waits ? AbortSignal.any([mcpReq.signal, closing, ...(gone ? [gone] : [])]) : mcpReq.signal,
    progress: progressOf(context),
  };
}

function progressOf({ mcpReq }: ServerContext): ToolCall['progress'] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  return (message) => {
    progress += 1;
    const params = { progressToken, progress, message };
    // The client may have gone. The tool does not fail because of that.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}
