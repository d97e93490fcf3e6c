import { type JsonObject, RequestType } from '@handover/core';
import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import { iso } from '../../../platform/iso.js';
import { unknownTarget } from '../../../services/agents/unknown-target.js';
import type { HandOffArgs as Asked, HandOffView } from '../../../services/handoffs/hand-off-types.js';
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
  secretWarningJson,
  sessionWarningsJson,
  unknownTargetJson,
  warned,
} from '../note-warnings.js';
import { success, timestamp } from '../outputs.js';
import { ResultShape } from '../results.js';
import { bytesOfTokens, jsonBytes } from '../token-room.js';
import { ADDS, defineTool } from '../tool.js';
import type { HandoffToolDependencies } from './dependencies.js';

const ITEM_CHARACTERS = 4_000;
const BRIEF_BYTES = 65_536;
const MOST_ATTACHMENTS = 20;

const items = (most: number, what: string) =>
  z.array(sayingOf(ITEM_CHARACTERS)).max(most).describe(what).exactOptional();

const attachment = z.strictObject({
  name: attachmentName,
  content: unicodeText,
  contentType: mediaType.exactOptional(),
  encoding: z.enum(['utf8', 'base64']).exactOptional(),
});

const input = z.strictObject({
  to: agentId.describe('Agent id of the receiver; whoAmI lists them.').exactOptional(),
  goal: sayingOf(ITEM_CHARACTERS).describe('What is to be achieved, and how one knows.').exactOptional(),
  next: items(20, 'Next steps, first one first.'),
  open: items(50, 'Not done, blocked, unsure.'),
  decisions: items(50, 'What was decided, and why.'),
  tried: items(50, 'Dead ends: what failed, and why.'),
  done: items(50, 'Finished, with evidence.'),
  files: z.array(sayingOf(500)).max(200).describe('path: why it matters').exactOptional(),
  brief: unicodeText
    .refine((text) => Buffer.byteLength(text) <= BRIEF_BYTES, `must have at most ${BRIEF_BYTES} bytes`)
    .describe('Anything else, as Markdown.')
    .exactOptional(),
  attachments: z.array(attachment).max(MOST_ATTACHMENTS).exactOptional(),
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

const MOST_BYTES = bytesOfTokens(1_500);

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
      return mapOutcome(await handoffs.handOff(principal, args, connection), (handed) => {
        const value = handOffJson(handed, now());
        const warnings = [
          ...unknownTargetJson(unknown),
          ...otherWindowJson(handed.otherWindow),
          ...sessionWarningsJson(handed.warnings),
          ...secretsIn(args),
        ];
        return {
          ...value,
          ...warned(
            warnings,
            MOST_BYTES - jsonBytes({ success: true, replayed: true, ...value, warnings: [] }),
          ),
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

const TEXTS = ['goal', 'next', 'open', 'decisions', 'tried', 'done', 'files', 'brief'] as const;

function secretsIn(args: Asked): readonly JsonObject[] {
  return [
    ...TEXTS.flatMap((field) => secretWarningJson([args[field] ?? []].flat().join('\n'), field)),
    ...(args.attachments ?? []).flatMap(({ content, encoding }, index) =>
      encoding === 'base64' ? [] : secretWarningJson(content, `attachments.${index}.content`),
    ),
  ];
}
