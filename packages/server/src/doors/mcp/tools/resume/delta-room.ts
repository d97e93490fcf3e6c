/** What came after a package, each entry cut, as many as there is room for; `next` reads the rest. */
import { type JsonObject, kindsNoted } from '@handover/core';
import { iso } from '../../../../platform/iso.js';
import type { Delta } from '../../../../services/handoffs/resume/types.js';
import type { ContextEntryView } from '../../../../services/handoffs/types.js';
import { bytesOfTokens, codePoints, fitting, partOf } from '../../token-room.js';

const ENTRY_BYTES = bytesOfTokens(200);

export interface FittedDelta {
  readonly delta: JsonObject;
  /** The number after which reading goes on; absent: all of it is here. */
  readonly after?: number;
}

export function deltaIn(delta: Delta, room: number): FittedDelta {
  const { entries, ...frame } = delta;
  if (!entries) return { delta: frame };
  const shown = fitting(entries.map(cutEntry), room);
  const cut = shown.find(({ truncated }) => truncated === true)?.sequenceNumber;
  const first = delta.fromSequence ?? 1;
  const after = cut === undefined ? first - 1 + shown.length : Number(cut) - 1;
  return {
    delta: { ...frame, entries: shown },
    ...(after < (delta.toSequence ?? 0) && { after }),
  };
}

const MOST_NUMBERS = 20;

const isNumbers = (value: unknown): value is number | number[] =>
  typeof value === 'number' ||
  (Array.isArray(value) && value.length <= MOST_NUMBERS && value.every((one) => typeof one === 'number'));

/** With what it is for the brief, which was written before it: a decision, a step that is done. */
function cutEntry(entry: ContextEntryView): JsonObject {
  const { sequenceNumber, contextType, author, createdAt, content, metadata } = entry;
  const part = partOf(content, 0, ENTRY_BYTES);
  const kinds = [...kindsNoted({ ...entry, number: sequenceNumber, at: createdAt })];
  const { supersedes } = metadata;
  return {
    sequenceNumber,
    contextType,
    ...(kinds.length > 0 && { kinds }),
    ...(isNumbers(supersedes) && { supersedes }),
    author,
    createdAt: iso(createdAt),
    content: part?.text ?? '',
    ...(part?.isWhole === false && { truncated: true, contentLength: codePoints(content) }),
  };
}
