/** What the tools of this folder share: the form of their results, and arguments. */
import type { JsonObject } from '@handover/core';
import { isMistyped, MISTYPED } from '@handover/evm';
import { z } from 'zod';
import { ResultShape } from '../../results.js';
import { defineTool, type Tool, type ToolSpec } from '../../tool.js';

const PLAIN = [
  { type: 'object', additionalProperties: true },
  { type: 'string' },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'null' },
];

/** Any JSON value, written so that strict readers of schemas understand it: one type per branch. */
export const anyJson = () =>
  z.unknown().meta({ anyOf: [...PLAIN, { type: 'array', items: { anyOf: PLAIN } }] });

/** Every result of an operation's tool is `{data: ...}`. */
const output = z.object({ data: anyJson() });

export function operationTool<Args extends object>(spec: Omit<ToolSpec<Args>, 'output' | 'result'>): Tool {
  return defineTool<Args>({ ...spec, output, result: ResultShape.DATA });
}

export const text = (description: string) => z.string().min(1).max(4_096).describe(description);
export const address = (description: string) =>
  z
    .string()
    .regex(/^0x[a-fA-F0-9]{40}$/, 'must be 0x and 40 hex digits')
    .refine((value) => !isMistyped(value), MISTYPED)
    .describe(description);
export const chainId = z.int().positive().max(Number.MAX_SAFE_INTEGER).describe('Id of the EVM chain.');
export const ttlSeconds = z
  .int()
  .positive()
  .max(Number.MAX_SAFE_INTEGER)
  .describe('How long the person has; default 1 hour, at least 60 seconds, at most 24 hours.');
export const replaces = text(
  'The op_, bd_ or ss_ id of an earlier request of yours of which nothing was sent; it is withdrawn. Refused with its effect otherwise. It closes no prompt in the wallet: go on waiting for it, too.',
);
export const network = text('Name of the network as people know it, such as testnet.');

/** The results of these tools go out unchanged, so a list may stand where the type says object. */
export const listResult = (items: readonly JsonObject[]): JsonObject => items as unknown as JsonObject;
