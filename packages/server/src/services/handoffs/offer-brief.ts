/**
 * The brief of an offer that came over MACP. It has no working session, so what was said with it takes the place of the entries:
 * why it is offered, what the session is for, and the attachments that are text.
 */
import { type Brief, type BriefEntry, corePayloads, gatherBrief, writeBrief } from '@handover/core';
import { LongWork } from '../../platform/long-work.js';
import type { Attachments } from './attachments.js';
import type { HandoffDependencies } from './dependencies.js';
import type { FoundHandoff } from './find-handoff.js';
import type { HandoffTextReader } from './handoff-texts.js';
import { storedPayload } from './stored-payload.js';

export async function offerBrief(
  deps: HandoffDependencies,
  texts: HandoffTextReader,
  attachments: Attachments,
  found: FoundHandoff,
  tokenBudget: number,
): Promise<Brief> {
  const { scope, reason } = await texts.read(found);
  const { session, offer } = found;
  const said: { readonly type: string; readonly text: string; readonly at: number }[] = [
    { type: 'reason', text: reason, at: offer.offeredAt },
    { type: 'intent', text: await intentOf(deps, found), at: session.startedAt },
  ];
  for await (const { text = '', createdAt } of attachments.onTimeTexts(found))
    said.push({ type: 'attachment', text, at: createdAt });
  const gather = gatherBrief(tokenBudget, deps.codec);
  const entries = said
    .filter(({ text }) => text !== '')
    .map(
      ({ type, text, at }, index): BriefEntry => ({
        number: index + 1,
        at,
        contextType: type,
        author: offer.offeredBy,
        content: text,
        metadata: {},
      }),
    );
  const work = new LongWork();
  for (const entry of entries.toReversed()) await work.run(gather.add(entry));
  const subject = { scope, owner: offer.offeredBy, macpSessionId: session.id };
  return writeBrief(gather.result(), subject, tokenBudget, deps.codec);
}

async function intentOf({ store, codec }: HandoffDependencies, { ref }: FoundHandoff): Promise<string> {
  const [start] = await store.read(ref, 0, { entries: 1, bytes: 0 });
  return (start && codec.decode(corePayloads.SessionStart, storedPayload(start, codec))?.intent) ?? '';
}
