/**
 * One call of a tool, from raw arguments to a result that always has the documented form (docs/api-reference.md).
 *
 * C1. The order is: scope, rate, arguments, the tool. A call that fails one of the first three never reaches a service.
 * C2. It never throws: an error that a tool throws becomes INTERNAL_ERROR (or the code in the fault's row). The log
 *     gets the error, the answer contains nothing of it.
 */
import { isFields, type Json, type JsonObject } from '@handover/core';
import { type CallToolResult, type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Log } from '../../observe/log.js';
import type { Audit } from '../../observe/security-log.js';
import type { Outcome } from '../../services/outcome.js';
import { argumentIssues } from './arguments.js';
import { argumentFailure, type Failure, failureOf, failurePayload, scopeFailure } from './errors.js';
import { logFault } from './log-fault.js';
import { createRequestId } from './request-id.js';
import type { RequestRate } from './request-rate.js';
import { errorResult, ResultShape, successResult } from './results.js';
import type { Tool, ToolCall } from './tool.js';
import type { ToolTable } from './tool-table.js';
import { unlistedHint } from './unlisted-tools.js';

export interface CallDependencies {
  readonly log: Log;
  readonly audit: Audit;
  readonly now: () => number;
  readonly rate: RequestRate;
  readonly tools: Pick<ToolTable, 'find' | 'setOf'>;
}

type Ran =
  | { readonly value: JsonObject }
  | { readonly asks: InputRequiredResult }
  | { readonly failure: Failure }
  | { readonly thrown: unknown };

export async function callTool(
  deps: CallDependencies,
  tool: Tool,
  args: unknown,
  call: ToolCall,
  traceId?: string,
): Promise<CallToolResult | InputRequiredResult> {
  const ran = await runTool(deps, tool, args, call);
  if ('asks' in ran) return ran.asks;
  if ('value' in ran) {
    const value = tool.result === ResultShape.FIELDS ? withHint(deps, ran.value, call) : ran.value;
    return successResult(tool.result, value, tool.contents?.(value));
  }
  const now = deps.now();
  const requestId = createRequestId(now);
  const failure =
    'failure' in ran ? ran.failure : logFault(deps.log, { tool: tool.name, requestId }, ran.thrown);
  const { code } = failure;
  deps.log.debug('mcp.refused', { tool: tool.name, code, requestId, agent: call.principal.agent });
  const context = { now, requestId, args, ...(traceId !== undefined && { traceId }) };
  const payload = failurePayload(failure, context);
  const hint = unlistedHint(deps.tools, call, payload);
  return errorResult(
    hint === undefined ? payload : { ...payload, details: withUnlisted(payload.details, hint) },
  );
}

function withHint({ tools }: CallDependencies, value: JsonObject, call: ToolCall): JsonObject {
  const hint = unlistedHint(tools, call, value);
  return hint === undefined ? value : { ...value, hint };
}

/** Beside the hint that there may be. */
function withUnlisted(details: Json | undefined, hint: string): JsonObject {
  const { hint: before, ...about } = (isFields(details) ? details : {}) as JsonObject;
  return { ...about, hint: typeof before === 'string' ? `${before} ${hint}` : hint };
}

async function runTool(deps: CallDependencies, tool: Tool, args: unknown, call: ToolCall): Promise<Ran> {
  if (!call.principal.scopes.has(tool.scope)) {
    const failure = scopeFailure(tool.scope, call.connection);
    deps.audit.authorizationFailed({ actor: call.principal, action: tool.name, code: failure.code });
    return { failure };
  }
  // A further round is the answer to a question of this server.
  const limited = tool.unlimited || call.state !== undefined ? undefined : deps.rate(call.principal);
  if (limited) return { failure: failureOf(limited) };
  const parsed = tool.input.safeParse(args);
  if (!parsed.success) {
    const issues = argumentIssues(parsed.error, argumentsOf(tool)).map(({ field, message }) => {
      const known = tool.knownArguments?.[field]?.(call);
      return { field, message: known === undefined ? message : `${message}; give ${known}` };
    });
    return { failure: argumentFailure(issues) };
  }
  try {
    const asks = tool.asks?.(parsed.data, call);
    return asks ? { asks: inputRequired(asks) } : ranOf(await tool.run(parsed.data, call), tool.result);
  } catch (thrown) {
    return { thrown };
  }
}

const argumentsOf = ({ input }: Tool): readonly string[] =>
  input instanceof z.ZodObject ? Object.keys(input.shape) : [];

function ranOf(outcome: Outcome<JsonObject>, shape: ResultShape): Ran {
  if ('rejection' in outcome) return { failure: failureOf(outcome.rejection) };
  if (shape === ResultShape.DATA) return { value: outcome.value };
  const { value, replayed } = outcome;
  return { value: { success: true, ...value, ...(replayed === true && { replayed }) } };
}
