/**
 * The error payload of docs/api-reference.md. It contains only what a model can act on. Messages of drivers and
 * libraries, and stack traces, go to the log only.
 */
import { FAULT_WAIT_MS, HandoverError, type JsonObject, type Rejection, RejectionCode } from '@handover/core';
import { setWithScope } from '../../auth/tool-sets.js';
import { iso } from '../../platform/iso.js';
import type { Connection } from '../../services/connection.js';
import { FAULT_TEXTS } from '../fault-texts.js';
import { MCP_STATUS, McpErrorCode } from '../status-table.js';
import { type ArgumentIssue, MAX_ISSUES } from './arguments.js';
import { wayOut } from './way-out.js';

export interface Failure {
  readonly code: McpErrorCode;
  readonly message: string;
  readonly details: JsonObject;
}

const STATUS: Readonly<Record<McpErrorCode, number>> = {
  [McpErrorCode.VALIDATION_ERROR]: 400,
  [McpErrorCode.FORBIDDEN]: 403,
  [McpErrorCode.SESSION_NOT_FOUND]: 404,
  [McpErrorCode.HANDOFF_NOT_FOUND]: 404,
  [McpErrorCode.OPERATION_NOT_FOUND]: 404,
  [McpErrorCode.CONFLICT]: 409,
  [McpErrorCode.SESSION_EXPIRED]: 410,
  [McpErrorCode.RATE_LIMITED]: 429,
  [McpErrorCode.INTERNAL_ERROR]: 500,
  [McpErrorCode.HANDOFF_FAILED]: 502,
};

/** Details that are repeated beside `error`, where a caller finds them at once. */
const FLAT = ['sessionKey', 'handoffId', 'currentStatus', 'restartRequired', 'validationErrors'];

export function failureOf({ code, message, details = {}, reasons }: Rejection): Failure {
  return {
    code: MCP_STATUS[code],
    message,
    details: { ...details, ...(reasons && { reasons: [...reasons] }) },
  };
}

export function faultFailure(thrown: unknown): Failure {
  const { code } = HandoverError.from(thrown);
  const [errorCode, message] = FAULT_TEXTS[code].mcp;
  const retryAfterMs = FAULT_WAIT_MS[code];
  return { code: errorCode, message, details: retryAfterMs === undefined ? {} : { retryAfterMs } };
}

export function argumentFailure(issues: readonly ArgumentIssue[]): Failure {
  const said = issues
    .slice(0, MAX_ISSUES)
    .map(({ field, message }) => (field === '' ? message : `${field}: ${message}`));
  return {
    code: McpErrorCode.VALIDATION_ERROR,
    message: `Invalid arguments: ${said.join('; ')}`,
    details: { field: issues[0]?.field ?? '', issues: issues.slice(0, MAX_ISSUES) },
  };
}

export function scopeFailure(scope: string, connection: Connection): Failure {
  const message =
    connection.transport === 'stdio'
      ? `This needs the scope ${scope}, which this connection does not have; ${startAgain(scope, connection)}.`
      : `This needs the scope ${scope}, which the credential does not have.`;
  return { code: MCP_STATUS[RejectionCode.FORBIDDEN], message, details: { requiredScope: scope } };
}

/** On one's own machine, the sets that a connection was started with decide. */
function startAgain(scope: string, { toolsets = new Set() }: Connection): string {
  const missing = setWithScope(scope);
  if (missing === undefined) return 'no set of tools has it';
  return `start it with --toolsets ${missing} (${[...toolsets, missing].join(',')} keeps what it has)`;
}

export interface FailureContext {
  readonly now: number;
  readonly requestId: string;
  readonly traceId?: string;
  /** The arguments as the caller wrote them; they may name a working session or a handoff. */
  readonly args?: unknown;
}

export function failurePayload({ code, message, details }: Failure, context: FailureContext): JsonObject {
  const hint = wayOut(code, details);
  const about = { ...named(context.args), ...details, ...(hint !== undefined && { hint }) };
  return {
    success: false,
    error: message,
    errorCode: code,
    statusCode: STATUS[code],
    details: about,
    timestamp: iso(context.now),
    requestId: context.requestId,
    ...(context.traceId !== undefined && { traceId: context.traceId }),
    ...pick(about, FLAT),
  };
}

const MAX_ECHO = 2_048;

function named(args: unknown): JsonObject {
  const { sessionKey, handoffId } = (args ?? {}) as Readonly<Record<string, unknown>>;
  return {
    ...(isShortText(sessionKey) && { sessionKey }),
    ...(isShortText(handoffId) && { handoffId }),
  };
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_ECHO;
}

function pick(source: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (name in source ? [[name, source[name] ?? null]] : [])));
}
