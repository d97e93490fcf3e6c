import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import { handoffId } from '../arguments.js';
import { attachmentOutput, handoffResult } from '../outputs.js';
import { ResultShape } from '../results.js';
import { bytesOfTokens } from '../token-room.js';
import { defineTool, READS } from '../tool.js';
import type { HandoffToolDependencies } from './dependencies.js';
import { includedParts } from './get-handoff/included-parts.js';
import { handoffAnswer } from './handoff-result.js';
import { bytesFor, DEFAULT_TOKENS, MOST_TOKENS } from './result-tokens.js';

const Part = z.enum(['package', 'attachments', 'entries', 'receipt']);
export type Part = z.infer<typeof Part>;

const input = z.strictObject({
  handoffId,
  include: z
    .array(Part)
    .max(4)
    .describe(
      'Also return: package (brief, and what was sent beside it), attachments (only that), entries (the frozen context itself, in pages), receipt (signed proof of a finished handoff).',
    )
    .exactOptional(),
  afterSequence: z.int().min(0).describe('With entries: start after this sequence number.').exactOptional(),
  limit: z.int().min(1).max(200).describe('Of entries; 50 by default.').exactOptional(),
  maxTokens: z.int().min(1_500).max(MOST_TOKENS).describe('Default 6000; next has the rest.').exactOptional(),
});

const output = handoffResult.extend({
  package: z.unknown().describe('What is handed over; null for an offer over MACP.').optional(),
  attachments: z.array(attachmentOutput).optional(),
  entries: z.array(z.looseObject({})).optional(),
  hasMore: z.boolean().optional(),
  receipt: z.looseObject({}).optional(),
});

/** Of the handoff beside what is included; the least that maxTokens can be leaves some room. */
const HANDOFF_BYTES = bytesOfTokens(1_200);

export type GetHandoffArgs = z.infer<typeof input>;

export const getHandoff = ({ handoffs, now }: HandoffToolDependencies) =>
  defineTool<GetHandoffArgs>({
    name: 'getHandoff',
    title: 'Get handoff',
    description:
      'Get one handoff: its status, who holds the work, and what you can do next. With include you also get the package to take over from, its entries, or the receipt.',
    scope: Scope.HANDOFF_READ,
    hints: READS,
    input,
    output,
    result: ResultShape.FIELDS,
    run: async (args, { principal }) => {
      const { handoffId: id, include = [], maxTokens = DEFAULT_TOKENS } = args;
      const bytes = bytesFor('getHandoff', maxTokens);
      const view = await handoffs.getHandoff(principal, id);
      // Who asks for the handoff alone has asked for its texts.
      const found =
        include.length === 0
          ? handoffAnswer(view, now, bytes, Number.POSITIVE_INFINITY)
          : handoffAnswer(view, now, HANDOFF_BYTES);
      if ('rejection' in found) return found;
      const parts = await includedParts(handoffs, principal, args, found.value, bytes);
      return 'rejection' in parts ? parts : { value: { ...found.value, ...parts.value } };
    },
  });
