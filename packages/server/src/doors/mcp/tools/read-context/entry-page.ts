/**
 * Entries in order, as many as the caller has room for. A page ends before an entry that does not fit; only its first one
 * is cut, so every call makes progress, and following `next` to the end gives every entry once.
 */
import type { JsonObject } from '@handover/core';
import type { Principal } from '../../../../auth/principal.js';
import { iso } from '../../../../platform/iso.js';
import { LongWork } from '../../../../platform/long-work.js';
import type { Connection } from '../../../../services/connection.js';
import { fieldFlaw } from '../../../../services/handoffs/field-flaw.js';
import { longestWriters, whoeverWrote } from '../../../../services/handoffs/shown/written-by.js';
import type { ContextEntryView, HandoffService } from '../../../../services/handoffs/types.js';
import type { Outcome } from '../../../../services/outcome.js';
import { countPoints, longPartOf } from '../../long-text.js';
import { bytesOfTokens, jsonBytes } from '../../token-room.js';
import type { ReadContextArgs } from '../read-context.js';
import { DEFAULT_TOKENS } from '../result-tokens.js';
import { LEAST_CONTENT_BYTES, nextCall, roomIn } from './result-room.js';

const DEFAULT_LIMIT = 50;
/** Of one entry among others; metadata that is longer is read with its entry alone. */
const METADATA_BYTES = bytesOfTokens(250);
/** More than any number of an entry, and any place in one. */
const MOST = 99_999_999;
const NOTHING = { text: '', length: 0, isWhole: false };

export async function readEntryPage(
  handoffs: HandoffService,
  principal: Principal,
  args: ReadContextArgs,
  connection: Connection,
): Promise<Outcome<JsonObject>> {
  const { sessionKey, handoffId = '', sequence, last, maxTokens = DEFAULT_TOKENS } = args;
  const { agent } = principal;
  const limit = sequence === undefined ? (args.limit ?? DEFAULT_LIMIT) : 1;
  const asked = {
    of: sessionKey === undefined ? { handoffId } : { sessionKey },
    from: sequence ?? (args.afterSequence ?? 0) + 1,
    ...(last !== undefined && { last }),
    limit,
    bytes: bytesOfTokens(maxTokens),
  };
  const read = await handoffs.readEntries(principal, asked, connection);
  if ('rejection' in read) return read;
  const { entries, lastSequence, ...of } = read.value;
  if (sequence !== undefined && sequence > lastSequence)
    return { rejection: fieldFlaw('sequence', `must be 1 to ${lastSequence} here`) };
  const frame = {
    ...of,
    entries: [],
    hasMore: true,
    lastSequence,
    next: nextCall(args, { afterSequence: MOST, offset: MOST }),
    provenance: whoeverWrote([...longestWriters(entries.map(({ author }) => author)), agent], agent),
  };
  const [first] = entries;
  const room = roomIn(frame, first ? frameOf(first, { _omitted: MOST }) : {}, maxTokens);
  if (typeof room !== 'number') return { rejection: room };
  const page = await new LongWork().run(
    fitted(entries, { offset: args.offset ?? 0, room, alone: sequence !== undefined }),
  );
  if (!page) return { rejection: fieldFlaw('offset', 'is beyond the end of the entry') };
  const place = placeAfter(page, { lastSequence, alone: sequence });
  return {
    value: {
      ...of,
      entries: page.shown,
      hasMore: place !== undefined,
      lastSequence,
      ...(place && { next: nextCall(args, place) }),
      provenance: whoeverWrote(
        page.shown.map(({ author }) => String(author)),
        agent,
      ),
    },
  };
}

export interface FittedEntries {
  readonly shown: readonly JsonObject[];
  /** The number of the last one that is there, even if only in part. */
  readonly last: number;
  /** Where the first one goes on, when it did not fit. */
  readonly nextOffset?: number;
}

/** What of these entries fits into so many bytes; undefined: the first one has no such offset. Yields how much work it was. */
export function* fitted(
  entries: readonly ContextEntryView[],
  { offset, room, alone }: { readonly offset: number; readonly room: number; readonly alone: boolean },
): Generator<number, FittedEntries | undefined> {
  const shown: JsonObject[] = [];
  let left = room;
  let last = 0;
  for (const entry of entries) {
    const isFirst = shown.length === 0;
    const from = isFirst ? offset : 0;
    const framed = frameOf(entry, metadataOf(entry, { left, alone, isFirst }));
    const roomForText = left - jsonBytes(framed);
    const part = roomForText < 0 ? NOTHING : yield* longPartOf(entry.content, from, roomForText);
    if (!part) return undefined;
    if (!part.isWhole && !isFirst) break;
    last = entry.sequenceNumber;
    const nextOffset = part.isWhole ? undefined : from + part.length;
    const { truncated: _, nextOffset: __, offset: ___, ...whole } = framed;
    const one = {
      ...whole,
      contentLength: yield* countPoints(entry.content),
      ...(from > 0 && { offset: from }),
      ...(nextOffset !== undefined && { truncated: true, nextOffset }),
      content: part.text,
    };
    shown.push(one);
    if (nextOffset !== undefined) return { shown, last, nextOffset };
    left -= jsonBytes(one) + 1;
    if (left <= 0) break;
  }
  return { shown, last };
}

/** What the smallest part of an entry takes. */
export const leastOf = (entry: ContextEntryView): number =>
  jsonBytes(frameOf(entry, { _omitted: MOST })) + LEAST_CONTENT_BYTES;

/** An entry without its text, with all that may stand beside it. */
function frameOf(entry: ContextEntryView, metadata: JsonObject) {
  const { sequenceNumber, contextType, author } = entry;
  return {
    sequenceNumber,
    contextType,
    author,
    createdAt: iso(entry.createdAt),
    offset: MOST,
    truncated: true,
    nextOffset: MOST,
    contentLength: MOST,
    content: '',
    metadata,
  };
}

/** The first entry must leave room for some of its text; one that does not fit after others is the first of the next page. */
function metadataOf(
  entry: ContextEntryView,
  { left, alone, isFirst }: { readonly left: number; readonly alone: boolean; readonly isFirst: boolean },
): JsonObject {
  const bytes = jsonBytes(entry.metadata);
  const most = isFirst
    ? left - jsonBytes(frameOf(entry, { _omitted: MOST })) - LEAST_CONTENT_BYTES
    : Number.POSITIVE_INFINITY;
  return bytes > Math.min(most, alone ? most : METADATA_BYTES) ? { _omitted: bytes } : entry.metadata;
}

/** Where readContext goes on. Undefined: that was all. */
export function placeAfter(
  { shown, last, nextOffset }: FittedEntries,
  { lastSequence, alone }: { readonly lastSequence: number; readonly alone: number | undefined },
): JsonObject | undefined {
  if (alone !== undefined)
    return nextOffset === undefined ? undefined : { sequence: alone, offset: nextOffset };
  if (nextOffset !== undefined) return { afterSequence: last - 1, offset: nextOffset };
  return shown.length > 0 && last < lastSequence ? { afterSequence: last } : undefined;
}
