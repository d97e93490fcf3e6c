/** The tool that gives the receipts of operations of any family, the older ones too. */
import { z } from 'zod';
import { Scope } from '../../../../auth/scopes.js';
import type { Operations } from '../../../../services/operations/operations.js';
import { READS, type Tool } from '../../tool.js';
import { operationTool, text } from './define.js';

const input = z.strictObject({
  id: text('The op_, bd_ or ss_ id.'),
  no: z
    .int()
    .min(1)
    .max(1_000_000)
    .describe('Its number, as in receipts of the other tools; without it, the newest.')
    .exactOptional(),
});
type Args = z.infer<typeof input>;

export const getOperationReceipt = ({ service }: Operations): Tool =>
  operationTool<Args>({
    name: 'get_operation_receipt',
    title: 'Receipt of an operation',
    description:
      'A signed receipt of an operation of yours that is over: the newest, or an earlier one by its number. Returns receipt and newest, the number of the newest: only that one counts, since a transaction that turns up later supersedes what was said before. Whoever gets the files can check them with `handover verify`.',
    scope: Scope.HANDOFF_READ,
    hints: READS,
    input,
    run: ({ id, no }, { principal }) => service.receipt(principal, id, no),
  });
