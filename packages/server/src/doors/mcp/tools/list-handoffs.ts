import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import { mapOutcome } from '../../../services/outcome.js';
import { cursor } from '../arguments.js';
import { handoffOutput, success } from '../outputs.js';
import { ResultShape } from '../results.js';
import { defineTool, READS } from '../tool.js';
import { handoffJson } from '../translate.js';
import type { HandoffToolDependencies } from './dependencies.js';

const input = z.strictObject({
  box: z
    .enum(['inbox', 'outbox', 'all'])
    .describe('inbox (default): offered to you. outbox: offered by you.')
    .exactOptional(),
  status: z.enum(['pending', 'completed', 'failed']).describe('Only those in this status.').exactOptional(),
  cursor: cursor.exactOptional(),
  limit: z.int().min(1).max(200).describe('How many at most; 50 by default.').exactOptional(),
});

export type ListHandoffsArgs = z.infer<typeof input>;

const DEFAULT_LIMIT = 50;
const output = z.looseObject({
  success,
  handoffs: z.array(handoffOutput),
  nextCursor: z.string().optional(),
});

export const listHandoffs = ({ handoffs }: HandoffToolDependencies) =>
  defineTool<ListHandoffsArgs>({
    name: 'listHandoffs',
    title: 'List handoffs',
    description:
      'See which handoffs wait for you (inbox) or for others (outbox), and what you can do about each. Call it when you start work and whenever you may have been offered something.',
    scope: Scope.HANDOFF_READ,
    hints: READS,
    input,
    output,
    result: ResultShape.FIELDS,
    run: async ({ box = 'inbox', limit = DEFAULT_LIMIT, ...rest }, { principal }) =>
      mapOutcome(
        await handoffs.listHandoffs(principal, { box, limit, ...rest }),
        ({ handoffs, nextCursor }) => ({
          handoffs: handoffs.map(handoffJson),
          ...(nextCursor !== undefined && { nextCursor }),
        }),
      ),
  });
