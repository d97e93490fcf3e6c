import type { JsonObject } from '@handover/core';
import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import type { PageRoom } from '../../../services/handoffs/pages.js';
import type { HandoffView } from '../../../services/handoffs/types.js';
import { mapOutcome } from '../../../services/outcome.js';
import { cursor } from '../arguments.js';
import { handoffOutput, success } from '../outputs.js';
import { ResultShape } from '../results.js';
import { shortHandoff } from '../short-handoff.js';
import { jsonBytes } from '../token-room.js';
import { defineTool, READS } from '../tool.js';
import type { HandoffToolDependencies } from './dependencies.js';
import { bytesFor } from './result-tokens.js';

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
        await handoffs.listHandoffs(principal, { box, limit, room: ROOM, ...rest }),
        ({ handoffs, nextCursor }) => ({
          handoffs: handoffs.map(listedJson),
          ...(nextCursor !== undefined && { nextCursor }),
        }),
      ),
  });

/** Two ids of sessions and a number, in base64. */
const LONGEST_CURSOR = 'x'.repeat(800);
const ROOM_BYTES = bytesFor('listHandoffs') - jsonBytes({ handoffs: [], nextCursor: LONGEST_CURSOR });

const listedJson = (view: HandoffView): JsonObject => shortHandoff(view, ROOM_BYTES);

const ROOM: PageRoom<HandoffView> = {
  bytes: ROOM_BYTES,
  sizeOf: (view) => jsonBytes(listedJson(view)) + 1,
};
