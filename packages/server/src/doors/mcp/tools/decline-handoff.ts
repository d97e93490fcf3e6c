import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import { handoffId, idempotencyKey, reason } from '../arguments.js';
import { handoffResult } from '../outputs.js';
import { ResultShape } from '../results.js';
import { defineTool, ENDS } from '../tool.js';
import type { HandoffToolDependencies } from './dependencies.js';
import { handoffAnswer } from './handoff-result.js';

const input = z.strictObject({
  handoffId,
  reason: reason.exactOptional(),
  idempotencyKey: idempotencyKey.exactOptional(),
});

export type DeclineHandoffArgs = z.infer<typeof input>;

export const declineHandoff = ({ handoffs, now }: HandoffToolDependencies) =>
  defineTool<DeclineHandoffArgs>({
    name: 'declineHandoff',
    title: 'Decline a handoff',
    description:
      'Refuse work that was offered to you; it stays with the agent that offered it. Say why in reason, so that it can ask somebody else.',
    scope: Scope.HANDOFF_ACCEPT,
    unlimited: true,
    hints: ENDS,
    input,
    output: handoffResult,
    result: ResultShape.FIELDS,
    run: async (args, { principal }) => handoffAnswer(await handoffs.declineHandoff(principal, args), now),
  });
