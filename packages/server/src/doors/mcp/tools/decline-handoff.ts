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
  reason: reason.exactOptional(),
  idempotencyKey: idempotencyKey.exactOptional(),
});

export type DeclineHandoffArgs = z.infer<typeof input>;

export const declineHandoff = ({ handoffs, now }: HandoffToolDependencies) =>
  defineTool<DeclineHandoffArgs>({
    name: 'declineHandoff',
    title: 'Decline handoff',
    description: 'Refuse an offer made to you, with the reason; the sender keeps the work.',
    scope: Scope.HANDOFF_ACCEPT,
    unlimited: true,
    hints: SETTLES,
    input,
    output: handoffResult,
    result: ResultShape.FIELDS,
    run: async (args, { principal }) =>
      handoffAnswer(await handoffs.declineHandoff(principal, args), now, bytesFor('declineHandoff')),
  });
