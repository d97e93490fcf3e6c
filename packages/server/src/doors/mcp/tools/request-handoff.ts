import { RequestType } from '@handover/core';
import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import { agentId, expectedSequence, idempotencyKey, sessionKey } from '../arguments.js';
import { boundedObject } from '../json-argument.js';
import { handoffResult } from '../outputs.js';
import { ResultShape } from '../results.js';
import { ADDS, defineTool } from '../tool.js';
import type { HandoffToolDependencies } from './dependencies.js';
import { handoffAnswer } from './handoff-result.js';

const input = z.strictObject({
  sessionKey,
  targetAgent: agentId.describe('Id of the agent that should take over. Only this agent can accept.'),
  requestType: z
    .enum([RequestType.ContextTransfer, RequestType.FullHandoff, RequestType.Collaboration])
    .describe(
      'context_transfer: the target gets a copy to read, you keep the work. full_handoff: the work becomes the target’s and you can no longer write. collaboration: both of you write.',
    ),
  requestData: boundedObject(
    'What the target needs to know, as JSON, such as `instructions` and `priority`.',
  ).exactOptional(),
  autoCommit: z
    .boolean()
    .describe('True (default): final as soon as the target accepts. False: you confirm with commitHandoff.')
    .exactOptional(),
  policy: z.string().min(1).max(256).describe('Id of a registered policy.').exactOptional(),
  expectedSequence: expectedSequence.exactOptional(),
  idempotencyKey: idempotencyKey.exactOptional(),
});

export type RequestHandoffArgs = z.infer<typeof input>;

export const requestHandoff = ({ handoffs, now }: HandoffToolDependencies) =>
  defineTool<RequestHandoffArgs>({
    name: 'requestHandoff',
    title: 'Offer a handoff',
    description:
      'Offer your working session to another agent. The context so far is frozen into a package that the target can read before it answers. It is final when the target accepts: you need not wait. With autoCommit false you confirm it with commitHandoff.',
    scope: Scope.HANDOFF_OFFER,
    hints: ADDS,
    input,
    output: handoffResult,
    result: ResultShape.FIELDS,
    run: async (args, { principal }) => handoffAnswer(await handoffs.requestHandoff(principal, args), now),
  });
