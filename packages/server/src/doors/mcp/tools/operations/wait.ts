/** The tool that waits for operations of any family. */
import { z } from 'zod';
import { Scope } from '../../../../auth/scopes.js';
import type { Operations } from '../../../../services/operations/operations.js';
import { WAIT_FOR } from '../../../../services/operations/wait-for-operation.js';
import { mapOutcome } from '../../../../services/outcome.js';
import { EITHER_ID } from '../../arguments.js';
import { READS, type Tool } from '../../tool.js';
import { whileWaiting } from '../../while-waiting.js';
import { DEFAULT_WAIT_MS, waitArguments } from '../wait-arguments.js';
import { operationTool, text } from './define.js';
import { EFFECT_NONE } from './guidance.js';

const MAX_IDS = 20;

const id = text('The op_, bd_ or ss_ id.');
const input = z
  .strictObject({
    id: id.exactOptional(),
    ids: z.array(id).min(1).max(MAX_IDS).describe('Several at once, at most 20.').exactOptional(),
    ...waitArguments,
    until: z
      .enum(WAIT_FOR)
      .describe(
        'change (the default): anything new, to report progress. decided: the person signed, refused or declined, or it is over; your own cancel does not count while a wallet may still sign. settled: every step has its end and it is known what moved, or a wallet was asked and it is known that nothing was sent (over: false then: it may be tried again on the page, so name it in replaces to ask again). Wait for this before you rely on the outcome. openAsks above 0 means that a wallet prompt may still be open: a late signature would be recorded, as PAID_TWICE if the step was done.',
      )
      .exactOptional(),
  })
  .refine((args) => (args.id === undefined) !== (args.ids === undefined), {
    message: EITHER_ID,
  });
type Args = z.infer<typeof input>;

export const waitForOperation = ({ waits }: Operations): Tool =>
  operationTool<Args>({
    name: 'wait_for_operation',
    title: 'Wait for an operation',
    description: `Wait until something happens to operations that you handed to a person. Returns within 50 seconds even if nothing did (changed: false); then call it again with resume.since, as often as you like, without missing anything. ${EFFECT_NONE}`,
    scope: Scope.HANDOFF_READ,
    hints: READS,
    input,
    waits: true,
    run: async (args, { principal, signal, progress }) => {
      const { id: one, ids = [], timeoutMs = DEFAULT_WAIT_MS, until = 'change', since } = args;
      const wanted = {
        ids: one === undefined ? ids : [one],
        timeoutMs,
        until,
        ...(since !== undefined && { since }),
      };
      const outcome = await whileWaiting(progress, () => waits.wait(principal, wanted, signal));
      return mapOutcome(outcome, ({ changed, operations, mark }) => ({
        changed,
        operations: [...operations],
        resume: { since: mark },
      }));
    },
  });
