/**
 * A handoff in a result that has only so much room. Its texts are what others wrote: they are cut first. Ids of a session
 * that another program opened can be long; then what its handoffId says anyway is left out.
 */
import type { JsonObject } from '@handover/core';
import type { HandoffView } from '../../services/handoffs/types.js';
import { MOST_CHARACTERS, shortText } from './short-text.js';
import { jsonBytes } from './token-room.js';
import { handoffJson } from './translate.js';

const TEXTS = ['scope', 'reason', 'answerReason'] as const;
/** More than any length of a text. */
const LENGTH = 99_999_999;

export function shortHandoff(
  view: HandoffView,
  bytes: number,
  characters: number = MOST_CHARACTERS,
): JsonObject {
  const texts = TEXTS.filter((name) => view[name] !== undefined);
  const cut = (most: number): JsonObject =>
    Object.assign({}, ...texts.map((name) => shortText(name, view[name] ?? '', characters, most)));
  const whole = handoffJson(view);
  const short = { ...whole, ...cut(Number.POSITIVE_INFINITY) };
  if (jsonBytes(short) <= bytes) return short;
  const { macpSessionId: _, offerId: __, ...frame } = whole;
  const empty = Object.fromEntries(
    texts.flatMap((name) => [
      [name, ''],
      [`${name}Length`, LENGTH],
    ]),
  );
  const room = bytes - jsonBytes({ ...frame, ...empty });
  return { ...frame, ...cut(Math.max(0, Math.floor(room / texts.length))) };
}
