import { ContextType } from '@handover/core';
import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import { iso } from '../../../platform/iso.js';
import { mapOutcome } from '../../../services/outcome.js';
import { expectedSequence, idempotencyKey, sessionKey, unicodeContent } from '../arguments.js';
import { boundedObject } from '../json-argument.js';
import {
  entryWarningsJson,
  noteWarningsJson,
  offeredJson,
  otherWindowJson,
  secretWarningsJson,
  warned,
} from '../note-warnings.js';
import { success } from '../outputs.js';
import { ResultShape } from '../results.js';
import { jsonBytes } from '../token-room.js';
import { ADDS, defineTool } from '../tool.js';
import type { HandoffToolDependencies } from './dependencies.js';
import { bytesFor } from './result-tokens.js';

const input = z.strictObject({
  sessionKey,
  contextType: z.enum([ContextType.Message, ContextType.File, ContextType.ToolCall, ContextType.System]),
  content: unicodeContent,
  metadata: boundedObject('note, and supersedes: the entry it replaces. At most 64 KiB.').exactOptional(),
  expectedSequence: expectedSequence.exactOptional(),
  idempotencyKey: idempotencyKey.exactOptional(),
});

export type UpdateContextArgs = z.infer<typeof input>;

const output = z.looseObject({
  success,
  message: z.string(),
  contextEntry: z.looseObject({
    id: z.string(),
    sequenceNumber: z.int(),
    contextType: z.string(),
    contentLength: z.int(),
    createdAt: z.string(),
  }),
  session: z.looseObject({ id: z.string(), sessionKey: z.string(), status: z.string() }),
});

export const updateContext = ({ handoffs }: HandoffToolDependencies) =>
  defineTool<UpdateContextArgs>({
    name: 'updateContext',
    title: 'Update context',
    description:
      'Append one entry to a working session as you go. metadata.note (goal, decision, tried, done, open, file, next, brief) puts it into the brief.',
    scope: Scope.HANDOFF_WRITE,
    hints: ADDS,
    input,
    output,
    result: ResultShape.FIELDS,
    run: async (args, { principal, connection }) =>
      mapOutcome(await handoffs.updateContext(principal, args, connection), ({ entry, session, ...rest }) => {
        const value = {
          message: 'Context updated',
          contextEntry: {
            id: entry.id,
            sequenceNumber: entry.sequenceNumber,
            contextType: entry.contextType,
            contentLength: entry.contentLength,
            contentBytes: entry.contentBytes,
            createdAt: iso(entry.createdAt),
          },
          session: { id: session.id, sessionKey: session.sessionKey, status: session.status },
        };
        const warnings = [
          ...entryWarningsJson(rest),
          ...otherWindowJson(rest.otherWindow),
          ...offeredJson(rest.offered),
          ...secretWarningsJson([['content', args.content]]),
          ...noteWarningsJson(rest.warnings),
        ];
        return {
          ...value,
          ...warned(warnings, bytesFor('updateContext') - jsonBytes({ ...value, warnings: [] })),
        };
      }),
  });
