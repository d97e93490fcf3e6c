import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import { handoffId, idempotencyKey, reason } from '../arguments.js';
import { handoffResult } from '../outputs.js';
import { ResultShape } from '../results.js';
import { defineTool, SETTLES } from '../tool.js';
import type { HandoffToolDependencies } from './dependencies.js';
import { handoffAnswer } from './handoff-result.js';
import { bytesFor } from './result-tokens.js';

const input = z.strictObject({
  handoffId,
  outcomePositive: z
    .boolean()
    .describe('Default: true after an accept, false after a decline.')
    .exactOptional(),
  action: z
    .string()
    .min(1)
    .max(256)
    .describe('Name of what was decided; a default fits the history.')
    .exactOptional(),
  authorityScope: z.string().max(256).describe('What the decision covers.').exactOptional(),
  reason: reason.exactOptional(),
  idempotencyKey: idempotencyKey.exactOptional(),
});

export type CommitHandoffArgs = z.infer<typeof input>;

export const commitHandoff = ({ handoffs, now }: HandoffToolDependencies) =>
  defineTool<CommitHandoffArgs>({
    name: 'commitHandoff',
    title: 'Commit handoff',
    description:
      'Confirm the answer to an offer of yours that has autoCommit false. After an accept the transfer takes effect in the same moment: with full_handoff the target owns the session from then on, and you can no longer write. After a decline it records that nobody took over.',
    scope: Scope.HANDOFF_OFFER,
    unlimited: true,
    hints: SETTLES,
    input,
    output: handoffResult,
    result: ResultShape.FIELDS,
    run: async (args, { principal }) =>
      handoffAnswer(await handoffs.commitHandoff(principal, args), now, bytesFor('commitHandoff')),
  });
