import type { JsonObject } from '@handover/core';
import { z } from 'zod';
import type { Principal } from '../../../auth/principal.js';
import { Scope } from '../../../auth/scopes.js';
import type { HandoffService } from '../../../services/handoffs/types.js';
import { mapOutcome, type Outcome } from '../../../services/outcome.js';
import { handoffId } from '../arguments.js';
import { attachmentOutput, handoffResult } from '../outputs.js';
import { ResultShape } from '../results.js';
import { defineTool, READS } from '../tool.js';
import { attachmentJson, entryJson, packageJson } from '../translate.js';
import type { HandoffToolDependencies } from './dependencies.js';
import { handoffAnswer } from './handoff-result.js';

const Part = z.enum(['package', 'attachments', 'entries', 'receipt']);
const input = z.strictObject({
  handoffId,
  include: z
    .array(Part)
    .max(4)
    .describe(
      'Also return: package (brief, and what was sent beside it), attachments (only that), entries (the frozen context itself, in pages), receipt (signed proof of a finished handoff).',
    )
    .exactOptional(),
  afterSequence: z.int().min(0).describe('With entries: start after this sequence number.').exactOptional(),
});

const output = handoffResult.extend({
  package: z.unknown().describe('What is handed over; null for an offer over MACP.').optional(),
  attachments: z.array(attachmentOutput).optional(),
  entries: z.array(z.looseObject({})).optional(),
  hasMore: z.boolean().optional(),
  receipt: z.looseObject({}).optional(),
});

export type GetHandoffArgs = z.infer<typeof input>;

export const getHandoff = ({ handoffs, now }: HandoffToolDependencies) =>
  defineTool<GetHandoffArgs>({
    name: 'getHandoff',
    title: 'Get handoff',
    description:
      'Get one handoff: its status, who holds the work, and what you can do next. With include you also get the package to take over from, its entries, or the receipt.',
    scope: Scope.HANDOFF_READ,
    hints: READS,
    input,
    output,
    result: ResultShape.FIELDS,
    run: async (args, { principal }) => {
      const found = handoffAnswer(await handoffs.getHandoff(principal, args.handoffId), now);
      if ('rejection' in found) return found;
      const deps = await included(handoffs, principal, args);
      return 'rejection' in deps ? deps : { value: { ...found.value, ...deps.value } };
    },
  });

async function included(
  handoffs: HandoffService,
  principal: Principal,
  args: GetHandoffArgs,
): Promise<Outcome<JsonObject>> {
  const { handoffId: id, include = [], afterSequence = 0 } = args;
  let value: JsonObject = {};
  if (include.some((part) => part !== 'receipt')) {
    const got = await handoffs.getPackage(principal, { handoffId: id, afterSequence });
    if ('rejection' in got) return got;
    const { package: handed, brief, entries, hasMore, attachments, attachmentsTotal } = got.value;
    const only = !include.includes('package') && !include.includes('entries');
    value = {
      ...(!only && { package: handed && packageJson(handed), ...(brief && { brief }) }),
      attachments: attachments.map(attachmentJson),
      attachmentsTotal,
      ...(include.includes('entries') && { entries: entries.map(entryJson), hasMore }),
    };
  }
  if (!include.includes('receipt')) return { value };
  return mapOutcome(await handoffs.getReceipt(principal, id), (receipt) => ({ ...value, receipt }));
}
