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
  targetAgent: agentId,
  requestType: z
    .enum([RequestType.ContextTransfer, RequestType.FullHandoff, RequestType.Collaboration])
    .describe('They read a copy; they own it and you stop; both of you write.'),
  requestData: boundedObject('Such as instructions, priority.').exactOptional(),
  autoCommit: z
    .boolean()
    .describe('Default true: final on acceptance. False: you confirm with commitHandoff.')
    .exactOptional(),
  policy: z.string().min(1).max(256).describe('Id of a registered policy.').exactOptional(),
  expectedSequence: expectedSequence.exactOptional(),
  idempotencyKey: idempotencyKey.exactOptional(),
});

export type RequestHandoffArgs = z.infer<typeof input>;

export const requestHandoff = ({ handoffs, now }: HandoffToolDependencies) =>
  defineTool<RequestHandoffArgs>({
    name: 'requestHandoff',
    title: 'Request handoff',
    description: 'Offer a session exactly as it stands, without adding to it. handOff is simpler.',
    scope: Scope.HANDOFF_OFFER,
    hints: ADDS,
    input,
    output: handoffResult,
    result: ResultShape.FIELDS,
    run: async (args, { principal }) => handoffAnswer(await handoffs.requestHandoff(principal, args), now),
  });
