import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import { mapOutcome } from '../../../services/outcome.js';
import { handoffId } from '../arguments.js';
import { handoffOutput, success } from '../outputs.js';
import { ResultShape } from '../results.js';
import { shortHandoff } from '../short-handoff.js';
import { fitting, jsonBytes } from '../token-room.js';
import { defineTool, READS } from '../tool.js';
import { whileWaiting } from '../while-waiting.js';
import type { HandoffToolDependencies } from './dependencies.js';
import { bytesFor } from './result-tokens.js';
import { DEFAULT_WAIT_MS, mark, waitArguments } from './wait-arguments.js';

const input = z.strictObject({
  handoffId: handoffId
    .describe(
      'Wait for this handoff; without it, for any change to a handoff that was offered to you or by you.',
    )
    .exactOptional(),
  ...waitArguments,
  since: mark.describe('since of the last answer: changes since then are not missed.').exactOptional(),
  resume: z
    .strictObject({ since: mark.exactOptional(), handoffId: handoffId.exactOptional() })
    .describe('resume of the last answer, as it stands: the same as since and handoffId.')
    .exactOptional(),
});

export type WaitForHandoffArgs = z.infer<typeof input>;

const output = z.looseObject({
  success,
  changed: z.boolean(),
  handoffs: z.array(handoffOutput),
  since: z.string(),
  resume: z.looseObject({ since: z.string() }),
});

export const waitForHandoff = ({ handoffs }: HandoffToolDependencies) =>
  defineTool<WaitForHandoffArgs>({
    name: 'waitForHandoff',
    title: 'Wait for handoff',
    description:
      'Wait until a handoff changes: until somebody offers you work, or until your offer is answered. Returns within 50 seconds even if nothing happened (changed: false); then call it again with since, as often as you like, without missing anything.',
    scope: Scope.HANDOFF_READ,
    hints: READS,
    input,
    output,
    waits: true,
    result: ResultShape.FIELDS,
    run: async ({ timeoutMs = DEFAULT_WAIT_MS, resume = {}, ...given }, { principal, signal, progress }) => {
      const rest = { ...resume, ...given };
      const outcome = await whileWaiting(progress, () =>
        handoffs.waitForHandoff(principal, { timeoutMs, ...rest }, signal),
      );
      return mapOutcome(outcome, ({ changed, handoffs, mark: since }) => {
        const value = {
          changed,
          message: changed
            ? 'Something changed'
            : 'Nothing changed yet; call again with since to go on waiting',
          since,
          resume: { since, ...(rest.handoffId !== undefined && { handoffId: rest.handoffId }) },
        };
        const next = { tool: 'listHandoffs', arguments: { box: 'all' } };
        const room = bytesFor('waitForHandoff') - jsonBytes({ ...value, handoffs: [], next });
        const shown = fitting(
          handoffs.map((one) => shortHandoff(one, room - 1)),
          room,
        );
        return { ...value, handoffs: shown, ...(shown.length < handoffs.length && { next }) };
      });
    },
  });
