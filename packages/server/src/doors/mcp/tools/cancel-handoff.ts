import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import { handoffId, reason } from '../arguments.js';
import { handoffResult } from '../outputs.js';
import { ResultShape } from '../results.js';
import { defineTool, ENDS } from '../tool.js';
import type { HandoffToolDependencies } from './dependencies.js';
import { handoffAnswer } from './handoff-result.js';

const input = z.strictObject({ handoffId, reason: reason.exactOptional() });

export type CancelHandoffArgs = z.infer<typeof input>;

export const cancelHandoff = ({ handoffs, now }: HandoffToolDependencies) =>
  defineTool<CancelHandoffArgs>({
    name: 'cancelHandoff',
    title: 'Cancel handoff',
    description: 'Withdraw an offer you made, or what you left for anyone (sessionKey); you keep the work.',
    scope: Scope.HANDOFF_OFFER,
    unlimited: true,
    hints: ENDS,
    input,
    output: handoffResult,
    result: ResultShape.FIELDS,
    run: async (args, { principal }) => handoffAnswer(await handoffs.cancelHandoff(principal, args), now),
  });
