/** Tools for general transactions with the person's own wallet. */
import { Family, type JsonObject } from '@handover/core';
import { z } from 'zod';
import { Scope } from '../../../../auth/scopes.js';
import type { Operations } from '../../../../services/operations/operations.js';
import { mapOutcome } from '../../../../services/outcome.js';
import { operationKey } from '../../arguments.js';
import { freeObject } from '../../json-argument.js';
import { ADDS, ENDS, READS, type Tool } from '../../tool.js';
import {
  anyJson,
  chainId,
  listResult,
  network,
  operationTool,
  replaces,
  text,
  ttlSeconds,
} from './define.js';
import { CANCEL_WAITS, EFFECT_NONE, NO_KEYS, ROUTING, URL_ONCE, WARNINGS } from './guidance.js';
import { reviewRounds } from './review.js';

const createInput = z.strictObject({
  type: text('What kind of operation it is, such as erc20_transfer.'),
  network,
  chainId,
  summary: freeObject('What the person should read first; `title` is the heading.').exactOptional(),
  payload: anyJson().describe('Anything that belongs to it; shown as raw data.').optional(),
  validation: anyJson().describe('Your own checks, kept as claimed.').optional(),
  policy: freeObject(
    'Kept; requiresUserSignature, serverMaySign and serverMaySubmit cannot be changed.',
  ).exactOptional(),
  steps: z
    .array(
      z.strictObject({
        id: text('Unique within the operation.').exactOptional(),
        kind: text('Default transaction.').exactOptional(),
        label: text('What the step does, for people.').exactOptional(),
        txRequest: freeObject(
          'to, value (in wei, as text), data, from and so on, as for eth_sendTransaction; no other fields.',
        ).exactOptional(),
      }),
    )
    .describe('Transactions, in the order in which they are to be signed.')
    .exactOptional(),
  ttlSeconds: ttlSeconds.exactOptional(),
  idempotencyKey: operationKey.exactOptional(),
  replaces: replaces.exactOptional(),
});
type CreateArgs = z.infer<typeof createInput>;

const oneInput = z.strictObject({
  operationId: text('The op_ id.'),
  secret: z
    .string()
    .max(4_096)
    .describe('The k of the URL; without it, metadata of your own operations.')
    .exactOptional(),
});
type OneArgs = z.infer<typeof oneInput>;

const listInput = z.strictObject({
  limit: z.int().min(1).max(100).default(20).describe('How many; default 20.'),
  before: text('The op_ id of the last one of the list before: only older ones.').exactOptional(),
});
type ListArgs = z.infer<typeof listInput>;

export function genericTools({ service }: Operations): readonly Tool[] {
  return [
    operationTool<CreateArgs>({
      name: 'create_operation_handoff',
      title: 'Hand an operation to the user',
      description: `Prepare an operation for the user to review in the browser and sign with their own wallet. ${ROUTING} ${NO_KEYS} Returns operationUrl and digest. ${URL_ONCE} ${WARNINGS} Follow it with wait_for_operation.`,
      scope: Scope.OPERATION_CREATE,
      hints: { ...ADDS, openWorldHint: true },
      input: createInput,
      review: reviewRounds(service, 'create_operation_handoff'),
      run: ({ steps, ...args }, { principal }) =>
        service.createOperation(principal, { ...args, ...(steps && { steps: steps as JsonSteps }) }),
    }),
    operationTool<OneArgs>({
      name: 'get_operation_status',
      title: 'Look at an operation',
      description: `Where an operation stands. effect says what moved, basis on whose word (not_asked: no wallet was asked yet), reasonCode why. txHash of a step is the transaction that counts for it; claims lists every hash that was told, those set aside (HASH_USED, TOO_OLD) too. ${EFFECT_NONE} status completed comes only after the server has found the transactions on the chain. A receipt is there when over is true. openAsks counts wallet prompts that may still be open (asks: standing open or unclear: nobody has said how it ended; quiet: said not to be signed, and looked for until quietUntil; not_signed: not found until then, but nobody has closed it; lapsed: nobody ever said): what is signed late is recorded. twin names another request of yours for the same as it stands now.`,
      scope: Scope.HANDOFF_READ,
      hints: READS,
      input: oneInput,
      run: ({ operationId, secret }, { principal }) =>
        service.get(principal, Family.Operation, operationId, secret),
    }),
    operationTool<OneArgs>({
      name: 'cancel_operation_handoff',
      title: 'Cancel an operation',
      description: `Take an operation back before anything was sent. It never undoes a transaction that was signed or sent; then it is refused. ${CANCEL_WAITS} ${EFFECT_NONE}`,
      scope: Scope.OPERATION_CREATE,
      unlimited: true,
      hints: ENDS,
      input: oneInput,
      run: ({ operationId, secret }, { principal }) =>
        service.cancel(principal, Family.Operation, operationId, secret),
    }),
    operationTool<ListArgs>({
      name: 'list_recent_operations',
      title: 'List your operations',
      description:
        'Metadata of your own operations (op_), newest first, with what each step asks for in short (steps[].call: kind, to, value in the smallest unit, chainId, account) and number and digest of the newest receipt; get_operation_receipt gives it whole. Never secrets or URLs. A list ends early when it gets too long; before goes on.',
      scope: Scope.HANDOFF_READ,
      hints: READS,
      input: listInput,
      run: async (args, { principal }) =>
        mapOutcome(await service.listRecent(principal, Family.Operation, args), listResult),
    }),
  ];
}

type JsonSteps = readonly {
  readonly id?: string;
  readonly kind?: string;
  readonly label?: string;
  readonly txRequest?: JsonObject;
}[];
