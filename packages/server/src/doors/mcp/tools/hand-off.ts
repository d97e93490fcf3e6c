import { type JsonObject, NOTE_KINDS, RequestType } from '@handover/core';
import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import { iso } from '../../../platform/iso.js';
import { unknownTarget } from '../../../services/agents/unknown-target.js';
import {
  type HandOffArgs as Asked,
  HAND_OFF_MOST,
  type HandOffView,
} from '../../../services/handoffs/hand-off-types.js';
import { mapOutcome } from '../../../services/outcome.js';
import {
  agentId,
  attachmentName,
  expiresIn,
  idempotencyKey,
  mediaType,
  policyId,
  sayingOf,
  sessionKey,
  unicodeText,
} from '../arguments.js';
import {
  otherWindowJson,
  placeWarningsJson,
  secretWarningsJson,
  sessionWarningsJson,
  warned,
} from '../note-warnings.js';
import { success, timestamp } from '../outputs.js';
import { ResultShape } from '../results.js';
import { targetWarningsJson } from '../target-warnings.js';
import { jsonBytes } from '../token-room.js';
import { ADDS, defineTool } from '../tool.js';
import type { HandoffToolDependencies } from './dependencies.js';
import { bytesFor } from './result-tokens.js';

const { characters, fileCharacters, briefBytes, items: most } = HAND_OFF_MOST;

const items = (limit: number, what: string) =>
  z.array(sayingOf(characters)).max(limit).describe(what).exactOptional();

const attachment = z.strictObject({
  name: attachmentName,
  content: unicodeText,
  contentType: mediaType.exactOptional(),
  encoding: z.enum(['utf8', 'base64']).exactOptional(),
});

const FILE_FORM = 'must be one text, as in "src/queue.ts: the lock is taken here"';

const input = z.strictObject({
  to: agentId.describe('Agent id of the receiver; whoAmI lists them.').exactOptional(),
  goal: sayingOf(characters).describe('What is to be achieved, and how one knows.').exactOptional(),
  next: items(most.next, 'Next steps, first one first.'),
  open: items(most.open, 'Not done, blocked, unsure.'),
  decisions: items(most.decisions, 'What was decided, and why.'),
  tried: items(most.tried, 'Dead ends: what failed, and why.'),
  done: items(most.done, 'Finished, with evidence.'),
  files: z
    .array(sayingOf(fileCharacters, FILE_FORM))
    .max(most.files)
    .describe('path: why it matters')
    .exactOptional(),
  brief: unicodeText
    .refine((text) => Buffer.byteLength(text) <= briefBytes, `must have at most ${briefBytes} bytes`)
    .describe('Anything else, as Markdown.')
    .exactOptional(),
  attachments: z.array(attachment).max(HAND_OFF_MOST.attachments).exactOptional(),
  sessionKey: sessionKey.exactOptional(),
  requestType: z
    .enum([RequestType.FullHandoff, RequestType.Collaboration, RequestType.ContextTransfer])
    .describe('Default full_handoff: you stop, they own it.')
    .exactOptional(),
  autoCommit: z.boolean().describe('Default true: final on acceptance.').exactOptional(),
  policy: policyId.exactOptional(),
  expiresIn: expiresIn.describe('Seconds the offer stands; default 7 days.').exactOptional(),
  idempotencyKey: idempotencyKey.exactOptional(),
});

export type HandOffArgs = z.infer<typeof input>;

const output = z.looseObject({
  success,
  sessionKey: z.string(),
  status: z.string(),
  phase: z.string(),
  expiresAt: timestamp,
  sequenceNumber: z.int(),
  instruction: z.string(),
});

export const handOff = ({ handoffs, directory, now }: HandoffToolDependencies) =>
  defineTool<HandOffArgs>({
    name: 'handOff',
    title: 'Hand off',
    description:
      'Hand your work over, in one call: when you stop, run out of context or usage, or the user says hand off. Name the receiver in to; without to it is left for whoever resumes next in this project, yourself included. State facts for a reader who has seen nothing. goal, next and open replace what was said before; the rest adds.',
    scope: Scope.HANDOFF_OFFER,
    hints: ADDS,
    input,
    output,
    result: ResultShape.FIELDS,
    run: async (args, { principal, connection }) => {
      const unknown = await unknownTarget(directory, handoffs, principal, connection, args.to);
      const meant = unknown?.meant;
      const asked = { ...args, ...(meant !== undefined && { meant }) };
      return mapOutcome(await handoffs.handOff(principal, asked, connection), (handed) => {
        const value = handOffJson(handed, now());
        const warnings = [
          ...targetWarningsJson({ given: args.to, self: principal.agent, unknown }, handed),
          ...placeWarningsJson(handed),
          ...otherWindowJson(handed.otherWindow),
          ...sessionWarningsJson(handed.warnings),
          ...leftOutJson(handed.brief.omitted),
          ...secretsIn(args),
        ];
        return {
          ...value,
          ...warned(warnings, bytesFor('handOff') - jsonBytes({ ...value, warnings: [] })),
        };
      });
    },
  });

function handOffJson(handed: HandOffView, now: number): JsonObject {
  const { sessionKey: key, handoffId, status, phase, to, sequenceNumber, brief, attachments } = handed;
  return {
    sessionKey: key,
    ...(handoffId !== undefined && { handoffId }),
    status,
    phase,
    ...(to !== undefined && { to }),
    expiresAt: iso(handed.expiresAt),
    sequenceNumber,
    brief: { ...brief, omitted: { ...brief.omitted } },
    attachments,
    timestamp: iso(now),
    instruction: handed.instruction,
  };
}

/** Plain entries that have no room are the usual case; a note was said for the reader. */
function leftOutJson(omitted: HandOffView['brief']['omitted']): readonly JsonObject[] {
  const counts = Object.entries(omitted).filter(([kind]) => isNoteKind(kind));
  if (counts.length === 0) return [];
  const what = counts.map(([kind, count]) => `${kind} ${count}`).join(', ');
  const message = `the brief has no room for ${what}: the oldest notes are not in it. readContext and searchContext have them; the receiver is told how many there are`;
  return [{ code: 'NOTES_LEFT_OUT', omitted: Object.fromEntries(counts), message }];
}

const isNoteKind = (kind: string): boolean => (NOTE_KINDS as readonly string[]).includes(kind);

const TEXTS = ['goal', 'next', 'open', 'decisions', 'tried', 'done', 'files', 'brief'] as const;

function secretsIn({ attachments = [], ...args }: Asked): readonly JsonObject[] {
  return secretWarningsJson([
    ...TEXTS.map((field) => [field, [args[field] ?? []].flat().join('\n')] as const),
    ...attachments.flatMap(({ content, encoding }, index) =>
      encoding === 'base64' ? [] : [[`attachments.${index}.content`, content] as const],
    ),
  ]);
}
