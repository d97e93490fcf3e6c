/**
 * What was sent with an offer beside its package, numbered from 1 in the order of the log.
 *
 * A1. Attachment n is the n-th HandoffContext of the offer after the package; of an offer over MACP, which has no package, the
 *     n-th.
 * A2. Whoever offered reads all. The target reads what came before its answer, and after a commitment the rest. Of an offer that
 *     failed it sees names, sizes and digests only. To anybody else there is no handoff, but for A3.
 * A3. What was sent with a full handoff that was committed goes with the working session: whoever has it later, or may write to
 *     it, reads all.
 */
import {
  type Codec,
  type Entry,
  type EntryHead,
  HandoffMessageType,
  handoffPayloads,
  RejectionCode,
  rejectWith,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { LongWork } from '../../platform/long-work.js';
import { BoundedCache } from '../bounded-cache.js';
import type { Outcome } from '../outcome.js';
import { isTextual, readContentType, servedType } from './content-type.js';
import type { HandoffDependencies } from './dependencies.js';
import { type FoundHandoff, findHandoff, handoffNotFound, isParty } from './find-handoff.js';
import { findSentBefore } from './find-sent-before.js';
import { phaseOf, statusOfPhase } from './handoff-phase.js';
import { storedPayload } from './stored-payload.js';
import type { AttachmentContent, AttachmentList, AttachmentView, SentContent } from './types.js';

interface Place {
  readonly seq: number;
  readonly late: boolean;
}

export type Described = Omit<AttachmentView, 'withheld'>;

const HEADS_PAGE = 500;
const LISTED = fixedLimits.attachmentsListed.value;
const KEPT = { items: 4_000, weight: 4 * 1024 * 1024 };

export class Attachments {
  readonly #deps: HandoffDependencies;
  /** What was sent never changes, so it is described once. */
  readonly #described = new BoundedCache<Described>(KEPT);
  /** Each may be large, and whoever reads it looks at all of it. */
  readonly #work = new LongWork();

  constructor(deps: HandoffDependencies) {
    this.#deps = deps;
  }

  /** For a caller that may see the handoff: the first ones, and how many there are. */
  async list(found: FoundHandoff, agent: string): Promise<AttachmentList> {
    const attachments = (await this.described(found, LISTED)).map((described) => {
      const withheld = whyWithheld(found, described, agent);
      return { ...described, ...(withheld !== undefined && { withheld }) };
    });
    return { attachments, attachmentsTotal: countOf(found) };
  }

  /** The first `most`, for a caller that says itself who may see them. */
  async described(found: FoundHandoff, most: number): Promise<readonly Described[]> {
    const described: Described[] = [];
    // One after another: each may be large.
    for (const [index, place] of (await this.#places(found, Math.min(countOf(found), most))).entries())
      described.push(await this.#describe(found, place, index + 1));
    return described;
  }

  async read(principal: Principal, handoffId: string, attachment: number): Promise<Outcome<SentContent>> {
    const seen = await findHandoff(this.#deps, principal, handoffId);
    const isSide = seen !== undefined && isParty(seen, principal.agent);
    const found = isSide ? seen : await findSentBefore(this.#deps, principal, handoffId);
    if (!found) return { rejection: handoffNotFound(handoffId) };
    const total = countOf(found);
    const place = attachment <= total ? (await this.#places(found, attachment))[attachment - 1] : undefined;
    if (!place) {
      const details = { handoffId, attachments: total };
      const message = `the handoff has ${total} attachments`;
      return { rejection: rejectWith(RejectionCode.HANDOFF_NOT_FOUND, message, details) };
    }
    const withheld = whyWithheld(found, place, principal.agent);
    if (withheld !== undefined) {
      const details = { handoffId, phase: phaseOf(found) };
      return { rejection: rejectWith(RejectionCode.CONFLICT, withheld, details) };
    }
    const content = contentOf(await this.#entry(found, place), place, attachment, this.#deps.codec);
    return { value: { ...content, from: found.session.binding?.takeOver?.from ?? found.offer.offeredBy } };
  }

  /** The text of those that the target can decide on, in order; undefined for one that is not text. */
  async *onTimeTexts(found: FoundHandoff): AsyncGenerator<AttachmentContent> {
    const places = await this.#places(found, Math.min(countOf(found), LISTED));
    for (const [index, place] of places.entries())
      if (!place.late) yield contentOf(await this.#entry(found, place), place, index + 1, this.#deps.codec);
  }

  /** From the one with this number on, for a caller that says itself who may read them. */
  async *contents(found: FoundHandoff, from: number): AsyncGenerator<AttachmentContent> {
    const places = await this.#places(found, countOf(found));
    for (const [index, place] of places.entries())
      if (index + 1 >= from)
        yield contentOf(await this.#entry(found, place), place, index + 1, this.#deps.codec);
  }

  async #describe(found: FoundHandoff, place: Place, attachment: number): Promise<Described> {
    const key = JSON.stringify([found.ref.tenant, found.ref.id, place.seq]);
    const kept = this.#described.get(key);
    if (kept) return kept;
    const entry = await this.#entry(found, place);
    const { codec } = this.#deps;
    const described = describedAs(sentIn(entry, codec), entry, place, attachment, codec);
    this.#described.set(key, described, 512 + described.name.length + described.contentType.length);
    return described;
  }

  /** Where the first `wanted` attachments are. Reads heads only. */
  async #places({ ref, session, offer }: FoundHandoff, wanted: number): Promise<readonly Place[]> {
    const places: Place[] = [];
    let isPackage = session.binding !== undefined;
    let late = false;
    for (let seq = 0; places.length < wanted; ) {
      const heads: readonly EntryHead[] = await this.#deps.store.load(ref, seq, HEADS_PAGE);
      for (const head of heads) {
        if (head.facts.handoff_id !== offer.handoffId || head.type === HandoffMessageType.Offer) continue;
        if (head.type !== HandoffMessageType.Context) late = true;
        else if (isPackage) isPackage = false;
        else places.push({ seq: head.seq, late });
      }
      const last = heads.at(-1);
      if (!last) break;
      seq = last.seq;
    }
    return places.slice(0, wanted);
  }

  async #entry({ ref }: FoundHandoff, { seq }: Place): Promise<Entry> {
    const [entry] = await this.#deps.store.read(ref, seq - 1, { entries: 1, bytes: 0 });
    if (!entry) throw new Error('an accepted context is not in the log');
    await this.#work.did(entry.payload.length);
    return entry;
  }
}

export function countOf({ session, offer }: FoundHandoff): number {
  return Math.max(0, offer.contexts + offer.lateContexts - (session.binding ? 1 : 0));
}

function whyWithheld(found: FoundHandoff, { late }: Pick<Place, 'late'>, agent: string): string | undefined {
  if (agent === found.offer.offeredBy) return undefined;
  const phase = phaseOf(found);
  if (statusOfPhase(phase) === 'failed')
    return `the handoff is ${phase}; what was sent with it is no longer open to its target`;
  if (late && phase !== 'committed')
    return 'it was sent after the answer; it can be read after the commitment';
  return undefined;
}

interface Sent {
  readonly context: Uint8Array;
  readonly type: ReturnType<typeof readContentType>;
}

function sentIn(entry: Entry, codec: Codec): Sent {
  const said = codec.decode(handoffPayloads.HandoffContext, storedPayload(entry, codec));
  return { context: said?.context ?? new Uint8Array(), type: readContentType(said?.contentType ?? '') };
}

function describedAs(sent: Sent, entry: Entry, { late }: Place, attachment: number, codec: Codec): Described {
  const { context, type } = sent;
  return {
    attachment,
    name: type.name ?? `attachment-${attachment}`,
    contentType: type.contentType,
    bytes: context.length,
    digest: `sha256:${codec.sha256(context)}`,
    late,
    createdAt: entry.at,
  };
}

function contentOf(entry: Entry, place: Place, attachment: number, codec: Codec): AttachmentContent {
  const sent = sentIn(entry, codec);
  const { mediaType } = sent.type;
  const text = isTextual(mediaType) ? codec.text(sent.context) : undefined;
  return {
    ...describedAs(sent, entry, place, attachment, codec),
    mediaType: servedType(mediaType),
    ...(text === undefined ? { base64: Buffer.from(sent.context).toString('base64') } : { text }),
  };
}
