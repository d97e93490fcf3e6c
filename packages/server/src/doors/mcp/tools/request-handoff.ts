import { RequestType } from '@handover/core';
import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import { unknownTarget } from '../../../services/agents/unknown-target.js';
import { mapOutcome } from '../../../services/outcome.js';
import { agentId, expectedSequence, expiresIn, idempotencyKey, policyId, sessionKey } from '../arguments.js';
import { boundedObject } from '../json-argument.js';
import { sessionWarningsJson, unknownTargetJson, warned } from '../note-warnings.js';
import { handoffResult } from '../outputs.js';
import { ResultShape } from '../results.js';
import { bytesOfTokens, jsonBytes } from '../token-room.js';
import { ADDS, defineTool } from '../tool.js';
import type { HandoffToolDependencies } from './dependencies.js';
import { handoffAnswer } from './handoff-result.js';
import { bytesFor } from './result-tokens.js';

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
  policy: policyId.exactOptional(),
  expiresIn: expiresIn.exactOptional(),
  expectedSequence: expectedSequence.exactOptional(),
  idempotencyKey: idempotencyKey.exactOptional(),
});

const WARNING_BYTES = bytesOfTokens(400);

export type RequestHandoffArgs = z.infer<typeof input>;

export const requestHandoff = ({ handoffs, directory, now }: HandoffToolDependencies) =>
  defineTool<RequestHandoffArgs>({
    name: 'requestHandoff',
    title: 'Request handoff',
    description: 'Offer a session exactly as it stands, without adding to it. handOff is simpler.',
    scope: Scope.HANDOFF_OFFER,
    hints: ADDS,
    input,
    output: handoffResult,
    result: ResultShape.FIELDS,
    run: async (args, { principal, connection }) => {
      const { targetAgent } = args;
      const unknown = await unknownTarget(directory, handoffs, principal, connection, targetAgent);
      const outcome = await handoffs.requestHandoff(principal, args);
      if ('rejection' in outcome) return outcome;
      const { warnings = [], expiresAt } = outcome.value;
      const about = [...unknownTargetJson(unknown, expiresAt), ...sessionWarningsJson(warnings)];
      const said = warned(about, WARNING_BYTES);
      const room = bytesFor('requestHandoff') - jsonBytes(said);
      return mapOutcome(handoffAnswer(outcome, now, room), (value) => ({ ...value, ...said }));
    },
  });
