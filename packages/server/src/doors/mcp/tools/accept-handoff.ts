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

export type AcceptHandoffArgs = z.infer<typeof input>;

export const acceptHandoff = ({ handoffs, now }: HandoffToolDependencies) =>
  defineTool<AcceptHandoffArgs>({
    name: 'acceptHandoff',
    title: 'Accept handoff',
    description:
      'Take responsibility for work that was offered to you. Read the package first (getHandoff with include ["package"]). It is final at once, unless the answer says that the offering agent has yet to commit.',
    scope: Scope.HANDOFF_ACCEPT,
    unlimited: true,
    hints: SETTLES,
    input,
    output: handoffResult,
    result: ResultShape.FIELDS,
    run: async (args, { principal }) =>
      handoffAnswer(await handoffs.acceptHandoff(principal, args), now, bytesFor('acceptHandoff')),
  });
