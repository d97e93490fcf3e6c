/**
 * From the bytes of a message to the message, at a bounded cost.
 *
 * M1. What is small is parsed here. A long text in a small message counts as small.
 * M2. Everything else goes to the thread for large documents. It takes the large argument out of the call of a tool that
 *     has one, and checks it; in the message stands a CheckedBundle in its place. Other messages come back, or are
 *     refused.
 * M3. What is stored or shown is what was sent: a message whose numbers or names would not survive is refused.
 * M4. A message that goes there is counted in the caller's rate before, and as a call after: it costs more than others.
 */
import { HandoverError, type Rejection } from '@handover/core';
import { callerKey } from '../../auth/caller-key.js';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { jsonLimits } from '../../config/json-limits.js';
import type { JsonScan } from '../../platform/json/json-scan.js';
import { type JsonFlaw, type Parsed, parseScanned, scanFlaw } from '../../platform/json/parse-bounded.js';
import { parseExactly } from '../../platform/json/parse-exactly.js';
import type { ServiceDependencies } from '../../services/dependencies.js';
import type { MessageOutput } from '../../services/large/job-types.js';
import type { LargeWork } from '../../services/large/large-work.js';
import { CheckedBundle } from '../../services/operations/families/bundle-deploy/check.js';
import { rateFlaw } from '../../services/rate-flaw.js';
import { FAULT_TEXTS } from '../fault-texts.js';
import { FAULT_STATUS } from '../status-table.js';
import { RpcCode } from './http/json-rpc-answer.js';
import { keepProtoArgument } from './proto-argument.js';

export interface MessageRefusal {
  /** Over HTTP. */
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly retryAfterMs?: number;
  /** Of the request, where it can be told. */
  readonly id?: string | number;
}

export type Opened = { readonly message: unknown } | { readonly refusal: MessageRefusal };

export interface MessageOpener {
  /** At once for a small message. The scan was made while it arrived, within MESSAGE_LIMITS. */
  open(principal: Principal, bytes: Uint8Array, scan: JsonScan): Opened | Promise<Opened>;
}

/** Arguments have smaller limits, with better answers. This one only stops absurd nesting. */
const MAX_DEPTH = fixedLimits.mcpLevels.value;
export const MAX_MESSAGE_BYTES = fixedLimits.mcpMessageBytes.value;
/** What a message may be at most. */
export const MESSAGE_LIMITS = {
  depth: MAX_DEPTH,
  values: fixedLimits.largeValues.value,
  bytes: MAX_MESSAGE_BYTES,
};
const PLAIN = jsonLimits(MAX_DEPTH);
/** What is parsed without asking whether it has a large argument. */
const SMALL = { ...PLAIN, bytes: fixedLimits.documentBytes.value };

export interface OpenerOptions {
  readonly deps: Pick<ServiceDependencies, 'limiter' | 'metrics' | 'audit'>;
  readonly large: LargeWork;
  /** By name, with the argument that may be large. */
  readonly tools: Readonly<Record<string, string>>;
}

export function createMessageOpener({ deps, large, tools }: OpenerOptions): MessageOpener {
  const openLarge = async (principal: Principal, bytes: Uint8Array): Promise<Opened> => {
    const limited = rateFlaw(deps, principal);
    if (limited) return tooOften(limited);
    try {
      const input = { bytes, limits: MESSAGE_LIMITS, plain: PLAIN, tools };
      const outcome = await large.message(callerKey(principal), input);
      return 'rejection' in outcome ? tooMuch(outcome.rejection.message) : openedBy(outcome.value, tools);
    } catch (thrown) {
      const { code } = HandoverError.from(thrown);
      const [, message] = FAULT_TEXTS[code].mcp;
      const { http: status, retry } = FAULT_STATUS[code];
      const later = retry === 'later' ? { retryAfterMs: RETRY_MS } : {};
      return { refusal: { status, code: RpcCode.Server, message, ...later } };
    }
  };
  return {
    open(principal, bytes, scan) {
      const flaw = scanFlaw(scan, bytes.length, SMALL);
      if (!flaw) return openedAs(parseExactly(bytes, scan));
      return scan.excess ? refused(flaw) : openLarge(principal, bytes);
    },
  };
}

const RETRY_MS = 1_000;

function tooOften({ message, details }: Rejection): { readonly refusal: MessageRefusal } {
  const retryAfterMs = Number(details?.retryAfterMs ?? RETRY_MS);
  return { refusal: { status: 429, code: RpcCode.Server, message, retryAfterMs } };
}

function openedBy(output: MessageOutput, tools: OpenerOptions['tools']): Opened {
  switch (output.kind) {
    case 'plain':
      // The thread has found it exact.
      return openedAs(parseScanned(output.bytes));
    case 'refused':
      return refused(output.flaw, hintAt(Object.keys(tools)));
    case 'split': {
      const { rest, argument, check, json } = output;
      // The thread has just written it.
      const message = JSON.parse(rest) as { params: { arguments: Record<string, unknown> } };
      message.params.arguments[argument] = new CheckedBundle({ ...check, ...(json && { json }) });
      return opened(message);
    }
  }
}

/** What makes a message too large is a file more often than not, and whoever sends it may never have heard of bundles. */
const ATTACHMENTS = `; an attachment of a handoff may have ${fixedLimits.handOffAttachmentBytes.value} bytes: leave what is larger where it is, and name its path in files`;
const hintAt = (tools: readonly string[]): string =>
  tools.length === 0 ? ATTACHMENTS : `${ATTACHMENTS} (a bundle of an operation may be larger)`;

const openedAs = (parsed: Parsed): Opened => ('flaw' in parsed ? refused(parsed.flaw) : opened(parsed.value));

function opened(message: unknown): Opened {
  keepProtoArgument(message);
  return { message };
}

export function refused({ kind, message }: JsonFlaw, hint = ''): { readonly refusal: MessageRefusal } {
  if (kind === 'bytes' || kind === 'values') return tooMuch(`the message ${message}${hint}`);
  if (kind === 'inexact')
    return { refusal: { status: 400, code: RpcCode.Params, message: `Invalid params: ${message}` } };
  const isParse = kind === 'utf8' || kind === 'syntax';
  return {
    refusal: {
      status: 400,
      code: isParse ? RpcCode.Parse : RpcCode.Invalid,
      message: `${isParse ? 'Parse error' : 'Invalid Request'}: the message ${message}`,
    },
  };
}

export const tooMuch = (message: string): { readonly refusal: MessageRefusal } => ({
  refusal: { status: 413, code: RpcCode.Server, message },
});
