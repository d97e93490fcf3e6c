import { ContextType, type JsonObject } from '@handover/core';
import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import { iso } from '../../../platform/iso.js';
import { mapOutcome } from '../../../services/outcome.js';
import { expectedSequence, idempotencyKey, sessionKey, unicodeContent } from '../arguments.js';
import { boundedObject } from '../json-argument.js';
import { noteWarningsJson, secretWarningJson } from '../note-warnings.js';
import { success } from '../outputs.js';
import { ResultShape } from '../results.js';
import { ADDS, defineTool } from '../tool.js';
import type { HandoffToolDependencies } from './dependencies.js';

const input = z.strictObject({
  sessionKey,
  contextType: z
    .enum([ContextType.Message, ContextType.File, ContextType.ToolCall, ContextType.System])
    .describe('What kind of entry it is.'),
  content: unicodeContent.describe('The entry itself, as text; at most 1 MiB.'),
  metadata: boundedObject(
    'JSON beside the entry. `note` (goal, next, open, brief, decision, tried, done or file) puts it into its place in the brief; `supersedes` names the entry it replaces.',
  ).exactOptional(),
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
    title: 'Record context',
    description:
      'Append one entry to your working session: a message, a file, a tool call or a system note. Entries get numbers 1, 2, 3, ... without gaps. Use metadata.note to mark goals, decisions, what is done, what is open and the next step: whoever takes over reads those first.',
    scope: Scope.HANDOFF_WRITE,
    hints: ADDS,
    input,
    output,
    result: ResultShape.FIELDS,
    run: async (args, { principal }) =>
      mapOutcome(await handoffs.updateContext(principal, args), ({ entry, session, warnings }) => ({
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
        ...warned([...noteWarningsJson(warnings), ...secretWarningJson(args.content, 'content')]),
      })),
  });

const warned = (warnings: readonly JsonObject[]) => (warnings.length > 0 ? { warnings } : {});
