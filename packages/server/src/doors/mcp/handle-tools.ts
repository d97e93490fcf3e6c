import {
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
  TRACEPARENT_META_KEY,
} from '@modelcontextprotocol/server';
import { callTool } from './call-tool.js';
import { callWithQuestion } from './call-with-question.js';
import { callWithReview } from './call-with-review.js';
import { carriedBy } from './carried.js';
import type { McpDependencies } from './dependencies.js';
import { derivedKey, withDerivedKey } from './derived-key.js';
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
    const principal = caller(context);
    const carried = carriedBy(server, tool, context, principal);
    const args = lenientArguments(tool, params.arguments ?? {});
    const requestKey =
      from.repeats && from.instance !== undefined
        ? derivedKey(args, from.instance, context.mcpReq.id)
        : undefined;
    const call = callOf(deps, tool, context, {
      ...{ principal, connection: from, ...carried },
      ...(requestKey !== undefined && { requestKey }),
    });
    const keyed = withDerivedKey(tool, args, requestKey);
    const run = (one: Tool) => callTool(deps, one, keyed, call, traceId);
    const { review } = tool;
    if (review) return deps.calls.track(callWithReview(tool, review, call, run));
    return deps.calls.track(tool.mayAsk ? callWithQuestion(tool, call, run) : run(tool));
  });
}

function callOf(
  { closing }: McpDependencies,
  tool: Tool,
  context: ServerContext,
  asking: Omit<ToolCall, 'signal' | 'progress'>,
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
