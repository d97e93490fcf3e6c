import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import { handoffId, sessionKey } from '../arguments.js';
import { success } from '../outputs.js';
import { ResultShape } from '../results.js';
import { defineTool, READS } from '../tool.js';
import type { HandoffToolDependencies } from './dependencies.js';
import { readAttachmentPart } from './read-context/attachment-part.js';
import { readEntryPage } from './read-context/entry-page.js';
import { MOST_TOKENS } from './result-tokens.js';

const STARTS = ['afterSequence', 'last', 'sequence', 'attachment'] as const;

const input = z
  .strictObject({
    sessionKey: sessionKey.exactOptional(),
    handoffId: handoffId.describe('An offer: entries of its package.').exactOptional(),
    afterSequence: z.int().min(0).exactOptional(),
    last: z.int().min(1).max(200).describe('The last n entries.').exactOptional(),
    sequence: z.int().min(1).describe('Only this entry.').exactOptional(),
    attachment: z.int().min(1).max(999_999).describe('Only this attachment of handoffId.').exactOptional(),
    offset: z.int().min(0).describe('Go on inside a long one.').exactOptional(),
    limit: z.int().min(1).max(200).describe('Default 50.').exactOptional(),
    maxTokens: z.int().min(200).max(MOST_TOKENS).describe('Default 6000.').exactOptional(),
  })
  .superRefine((args, context) => {
    const flaw = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if ((args.sessionKey === undefined) === (args.handoffId === undefined))
      flaw('sessionKey', 'give either sessionKey or handoffId');
    const starts = STARTS.filter((name) => args[name] !== undefined);
    if (starts.length > 1) flaw(starts[1] ?? '', `give only one of ${STARTS.join(', ')}`);
    if (args.attachment !== undefined && args.handoffId === undefined)
      flaw('attachment', 'attachments belong to an offer: give handoffId');
    if (args.offset !== undefined && args.last !== undefined) flaw('offset', 'cannot go with last');
  });

export type ReadContextArgs = z.infer<typeof input>;

const output = z.looseObject({ success, provenance: z.string() });

export const readContext = ({ handoffs }: HandoffToolDependencies) =>
  defineTool<ReadContextArgs>({
    name: 'readContext',
    title: 'Read context',
    description:
      'Read more than the brief: entries of a session or of an offer in order, one entry, or one attachment. Pages within maxTokens; call again with next.',
    scope: Scope.HANDOFF_READ,
    hints: READS,
    input,
    output,
    result: ResultShape.FIELDS,
    run: async (args, { principal, connection }) => {
      const { handoffId: id, attachment } = args;
      if (id === undefined || attachment === undefined)
        return readEntryPage(handoffs, principal, args, connection);
      return readAttachmentPart(handoffs, principal, { ...args, handoffId: id, attachment });
    },
  });
