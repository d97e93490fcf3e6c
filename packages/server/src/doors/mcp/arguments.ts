/** The arguments that several tools share, as the schema publishes them; and what to say of wrong ones. */
import { isFields, type JsonObject } from '@handover/core';
import { z } from 'zod';
import {
  MAX_AGENT_CHARACTERS,
  MAX_KEY_CHARACTERS,
  MAX_REASON_CHARACTERS,
} from '../../services/handoffs/validate.js';

/** The log's own cap on what one entry carries; the configuration can only lower it. */
const MAX_CONTENT = 1_048_576;

const text = (max: number) => z.string().min(1).max(max);

export const sessionKey = text(MAX_KEY_CHARACTERS).describe(
  'Key of the working session, chosen when it was registered.',
);
export const agentId = text(MAX_AGENT_CHARACTERS);
export const handoffId = text(2_048).describe(
  'Id of the handoff, as requestHandoff or listHandoffs gave it.',
);
export const reason = z
  .string()
  .max(MAX_REASON_CHARACTERS)
  .describe('Why, in a sentence; the other side sees it.');
export const cursor = text(4_096).describe('nextCursor of the page before.');
export const idempotencyKey = text(256).describe(
  'Any word of your own. The same request sent again with the same key is carried out once and answered alike.',
);
export const expectedSequence = z
  .int()
  .min(0)
  .describe(
    'The last sequence number you have seen (0: none). Refused with CONFLICT if there are newer entries.',
  );
export const content = z.string().max(MAX_CONTENT);

/** A JSON object of the caller's own. Kept as it is: a copy would lose odd keys. The services bound it. */
export function freeObject(description: string) {
  return z.custom<JsonObject>(isFields, 'must be an object').meta({ type: 'object', description });
}

export interface ArgumentIssue {
  readonly [key: string]: string;
  /** Path of the argument, `a.b.0`; empty: the arguments as a whole. */
  readonly field: string;
  readonly message: string;
}

export function argumentIssues(error: z.ZodError): readonly ArgumentIssue[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map(String);
    if (issue.code !== 'unrecognized_keys') return [{ field: path.join('.'), message: issue.message }];
    return issue.keys.map((key) => ({ field: [...path, key].join('.'), message: 'is not a known argument' }));
  });
}
