/**
 * The arguments that several tools share: their published schemas, and the checks that a schema cannot express.
 * Arguments are checked here and nowhere else; a service gets only arguments that have passed.
 */
import { isBlank, isId, isWellFormed } from '@handover/core';
import { z } from 'zod';
import { fixedLimits } from '../../config/fixed-limits.js';
import { NAME_CHARACTERS } from '../../services/handoffs/content-type.js';
import { codePoints } from './token-room.js';

const MAX_KEY = 255;
const MAX_AGENT = fixedLimits.agentIdCharacters.value;
const MAX_REASON = 4_096;
/** The log's own cap on what one entry carries; the configuration can only lower it. */
const MAX_CONTENT = 1_048_576;

const CONTROLS = /[\p{Cc}\p{Cs}]/u;
const NOT_UNICODE = 'has text that is not valid Unicode';

const text = (max: number) => z.string().min(1).max(max);

export const sessionKey = text(MAX_KEY)
  .refine(
    (key) => !isBlank(key) && !CONTROLS.test(key),
    'must be 1 to 255 characters, without control characters',
  )
  .describe('Key of the working session.');
export const agentId = text(MAX_AGENT).refine(
  (agent) => !isBlank(agent) && isId(agent),
  `must be 1 to ${MAX_AGENT} characters, without control characters`,
);
export const handoffId = text(2_048);
export const reason = z
  .string()
  .max(MAX_REASON)
  .refine(isWellFormed, NOT_UNICODE)
  .describe('The other side sees it.');
export const cursor = text(4_096).describe('nextCursor of the page before.');
const KEY_OF_A_RETRY =
  'Any word of your own. The same request sent again with the same key is carried out once and answered alike.';
/** It becomes the id of an entry. */
export const idempotencyKey = text(256).refine(isId, 'must be 1 to 256 bytes, without control characters');
/** Keys of operations are hashed, so any text will do. */
export const operationKey = text(256).describe(KEY_OF_A_RETRY);
export const expectedSequence = z.int().min(0).describe('Last number you saw; else CONFLICT.');
export const content = z.string().max(MAX_CONTENT);
export const unicodeContent = content.refine(isWellFormed, NOT_UNICODE);
export const unicodeText = z.string().refine(isWellFormed, NOT_UNICODE);
/** Counted as a reader counts, not in UTF-16: the published limit lets pairs through, the check does not. */
export const sayingOf = (most: number, wrongType?: string) =>
  z
    .string(wrongType)
    .refine(isWellFormed, NOT_UNICODE)
    .refine((said) => codePoints(said) <= most, `must have at most ${most} characters`);
export const policyId = text(256).describe('Id of a registered policy.');
/** In seconds: a minute to thirty days. */
export const expiresIn = z.int().min(60).max(2_592_000);
export const mediaType = text(255).refine(isWellFormed, NOT_UNICODE);

/** Counted as a reader counts, not in UTF-16. */
export const attachmentName = text(2 * NAME_CHARACTERS)
  .refine((name) => !isBlank(name) && !CONTROLS.test(name), 'may not be blank or have control characters')
  .refine((name) => [...name].length <= NAME_CHARACTERS, `must be 1 to ${NAME_CHARACTERS} characters`);

export interface ArgumentIssue {
  readonly [key: string]: string;
  /** Path of the argument, `a.b.0`; empty: the arguments as a whole. */
  readonly field: string;
  readonly message: string;
}

/** More are not told. */
export const MAX_ISSUES = 20;
const MAX_ISSUE_TEXT = 512;
const cut = (text: string): string => text.slice(0, MAX_ISSUE_TEXT);

/** What tools call the id of a record. Each takes one of them. */
const RECORD_NAMES: ReadonlySet<string> = new Set(['id', 'ids', 'operationId', 'handle', 'handoffId']);

/** A hint for who brings the name of another tool: which one this tool misses. */
function wantedName({ issues }: z.ZodError): string {
  const missing = issues
    .filter(({ code }) => code === 'invalid_type')
    .map(({ path }) => path.map(String).join('.'))
    .find((field) => RECORD_NAMES.has(field));
  if (missing !== undefined) return `: this tool calls it ${missing}`;
  return issues.some(({ message }) => message === EITHER_ID) ? ': this tool calls it id' : '';
}

/** Where one or several are named. */
export const EITHER_ID = 'give either id or ids';

/** The right name is rarely like the wrong one, so all are named, once. */
const listed = (known: readonly string[]): string =>
  known.length === 0 ? '' : `; known are ${known.join(', ')}`;

/** At most one issue for each argument: the first, since a text that is too long often breaks a second rule, too. */
export function argumentIssues(error: z.ZodError, known: readonly string[] = []): readonly ArgumentIssue[] {
  const wanted = wantedName(error);
  const issues = error.issues.flatMap((issue) => {
    const path = issue.path.map(String);
    if (issue.code !== 'unrecognized_keys')
      return [{ field: cut(path.join('.')), message: cut(issue.message) }];
    const isTop = path.length === 0;
    return issue.keys.slice(0, MAX_ISSUES).map((key, index) => ({
      field: cut([...path, key].join('.')),
      message: `is not a known argument${isTop && RECORD_NAMES.has(key) ? wanted : ''}${isTop && index === 0 ? listed(known) : ''}`,
    }));
  });
  const first = new Map<string, ArgumentIssue>();
  for (const issue of issues) if (!first.has(issue.field)) first.set(issue.field, issue);
  return [...first.values()];
}
