/**
 * The parts of a handoff, one after another, as long as there is room: what was sent beside the package, the package, the
 * receipt, the entries.
 *
 * F1. The package and the receipt are whole. One that does not fit ends the result, and `next` asks for it again with the
 *     room that it needs, together with what comes after it.
 * F2. What the largest result cannot hold is left out for good, with the way to it: resume has a shorter brief, and the
 *     receipt is a resource.
 * F3. Entries are read on with readContext, which also reads on inside a long one: following `next` gives each once.
 */
import type { JsonObject } from '@handover/core';
import type { HandoffService } from '../../../../services/handoffs/types.js';
import type { Outcome } from '../../../../services/outcome.js';
import { fitting, jsonBytes, tokensOfBytes } from '../../token-room.js';
import { attachmentJson, packageJson } from '../../translate.js';
import type { GetHandoffArgs, Part } from '../get-handoff.js';
import { fitted, leastOf, placeAfter } from '../read-context/entry-page.js';
import { nextCall } from '../read-context/result-room.js';
import { BYTES_AROUND, DEFAULT_TOKENS, MOST_TOKENS } from '../result-tokens.js';

type Value<O> = O extends Promise<Outcome<infer T>> ? T : never;
export type Got = Value<ReturnType<HandoffService['getPackage']>>;

export interface Parts {
  readonly got?: Got;
  readonly receipt?: JsonObject;
}

/** Of the room, for the list of what was sent; readContext reads each by its number. */
const ATTACHMENTS_SHARE = 1 / 4;
/** More than any number of an entry, and any place in one. */
const MOST = 99_999_999;
/** What a larger result may have more by its own arguments in `next`. */
const SPARE_BYTES = 64;

/** Yields how much work it was. */
export function* fitParts(
  args: GetHandoffArgs,
  { got, receipt }: Parts,
  frame: JsonObject,
  bytes: number,
): Generator<number, JsonObject> {
  const wanted = new Set(args.include);
  const fixed = { ...frame, next: longestNext(args) };
  let value: JsonObject = got ? attachmentsOf(got, (bytes - jsonBytes(fixed)) * ATTACHMENTS_SHARE) : {};
  const room = () => bytes - jsonBytes({ ...fixed, ...value });
  const again = (part: JsonObject): number =>
    tokensOfBytes(jsonBytes({ ...fixed, ...value, ...part }) + BYTES_AROUND + SPARE_BYTES);
  const rest: Part[] = [...(['package', 'receipt', 'entries'] as const)].filter((part) => wanted.has(part));

  for (const one of rest) {
    if (one === 'entries') return { ...value, ...(got && (yield* entriesOf(args, got, room()))) };
    const part = one === 'receipt' ? { receipt: receipt ?? null } : packageOf(got);
    if (jsonBytes(part) <= room()) {
      value = { ...value, ...part };
      continue;
    }
    const maxTokens = again(part);
    // Asked for again with no more room than now, it would not fit again, for ever.
    if (maxTokens <= MOST_TOKENS && maxTokens > (args.maxTokens ?? DEFAULT_TOKENS))
      return { ...value, next: sameAgain(args, rest.slice(rest.indexOf(one)), maxTokens) };
    value = { ...value, ...(one === 'receipt' ? receiptElsewhere(args) : briefElsewhere(args)) };
  }
  return value;
}

function attachmentsOf({ attachments, attachmentsTotal }: Got, room: number): JsonObject {
  return { attachments: fitting(attachments.map(attachmentJson), room), attachmentsTotal };
}

const packageOf = (got: Got | undefined): JsonObject => ({
  package: got?.package ? packageJson(got.package) : null,
  ...(got?.brief && { brief: got.brief as unknown as JsonObject }),
});

const briefElsewhere = ({ handoffId, maxTokens = DEFAULT_TOKENS }: GetHandoffArgs): JsonObject => ({
  packageOmitted: { tool: 'resume', arguments: { handoffId, maxTokens } },
});

const receiptElsewhere = ({ handoffId }: GetHandoffArgs): JsonObject => ({
  receiptOmitted: { resource: `handoff://handoffs/${encodeURIComponent(handoffId)}/receipt` },
});

function* entriesOf(args: GetHandoffArgs, got: Got, bytes: number): Generator<number, JsonObject> {
  const { entries, hasMore, entriesWithheld } = got;
  if (entriesWithheld !== undefined) return { entries: [], hasMore: false, entriesWithheld };
  const [first] = entries;
  if (!first) return { entries: [], hasMore };
  const lastSequence = got.package?.manifest.lastSequence ?? 0;
  const room = bytes - jsonBytes({ entries: [], hasMore: true });
  if (room < leastOf(first)) {
    const next = nextCall(args, { afterSequence: first.sequenceNumber - 1 });
    return { entries: [], hasMore: true, next };
  }
  const page = yield* fitted(entries, { offset: 0, room, alone: false });
  const place = page && placeAfter(page, { lastSequence, alone: undefined });
  return {
    entries: page?.shown ?? [],
    hasMore: place !== undefined,
    ...(place && { next: nextCall(args, place) }),
  };
}

const sameAgain = (args: GetHandoffArgs, include: readonly Part[], maxTokens: number): JsonObject => ({
  tool: 'getHandoff',
  arguments: { ...args, include, maxTokens: Math.max(maxTokens, args.maxTokens ?? 0) },
});

/** What `next` can take at most. */
const longestNext = ({ handoffId }: GetHandoffArgs): JsonObject => ({
  tool: 'readContext',
  arguments: {
    handoffId,
    ...{ include: ['package', 'attachments', 'entries', 'receipt'] },
    ...{ afterSequence: MOST, offset: MOST, limit: MOST, maxTokens: MOST },
  },
});
