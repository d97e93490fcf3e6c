import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import { iso } from '../../../platform/iso.js';
import { mapOutcome } from '../../../services/outcome.js';
import { handoffId, reason, sessionKey } from '../arguments.js';
import { success, timestamp } from '../outputs.js';
import { ResultShape } from '../results.js';
import { bytesOfTokens, fitting } from '../token-room.js';
import { defineTool, ENDS } from '../tool.js';
import type { HandoffToolDependencies } from './dependencies.js';
import { handoffAnswer } from './handoff-result.js';
import { bytesFor } from './result-tokens.js';

const input = z
  .strictObject({
    handoffId: handoffId.exactOptional(),
    sessionKey: sessionKey.exactOptional(),
    reason: reason.exactOptional(),
  })
  .refine((args) => (args.handoffId === undefined) !== (args.sessionKey === undefined), {
    message: 'give either handoffId or sessionKey',
    path: ['handoffId'],
  });

const output = z.looseObject({ success, status: z.string(), timestamp });
/** Of the ids of offers; there are seldom two. */
const OFFER_BYTES = bytesOfTokens(800);

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
    output,
    result: ResultShape.FIELDS,
    run: async ({ handoffId: offer, sessionKey: key, ...args }, { principal }) => {
      if (key === undefined)
        return handoffAnswer(
          await handoffs.cancelHandoff(principal, { handoffId: offer ?? '', ...args }),
          now,
          bytesFor('cancelHandoff'),
        );
      const withdrawn = await handoffs.withdraw(principal, { sessionKey: key, ...args });
      return mapOutcome(withdrawn, ({ offers }) => ({
        sessionKey: key,
        status: 'failed',
        phase: 'cancelled',
        withdrawn: fitting(offers, OFFER_BYTES),
        timestamp: iso(now()),
        instruction: 'Nobody can take it any more; the work stays with you.',
      }));
    },
  });
