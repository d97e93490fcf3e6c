/**
 * A brief in the room that a result has left for it. A brief is measured in bytes of its text, a result in bytes of JSON,
 * where a quotation mark, a backslash and a line break take two. Nothing in a brief takes more than twice its bytes, because
 * other control characters are cleaned away.
 */
import { type Brief, type JsonObject, tokensOf, withoutUnseen } from '@handover/core';
import type { BriefSource } from '../../../../services/handoffs/resume/types.js';
import { jsonBytes } from '../../token-room.js';

/** Below this a brief says too little. */
const LEAST_TOKENS = 400;
const MOST_TOKENS = 16_000;
const BYTES_OF_TOKEN = 4;
const GROWTH = 2;
/** All but the text. */
const FIELDS_BYTES = 512;

/** With this much room, every brief finds its place. */
const SURE_BYTES = FIELDS_BYTES + LEAST_TOKENS * BYTES_OF_TOKEN * GROWTH;

/** What the shortest brief takes: at most; exactly, where there is less room than that. */
export async function leastBriefBytes(source: BriefSource, room: number): Promise<number> {
  return room >= SURE_BYTES ? SURE_BYTES : jsonBytes(await shortest(source));
}

/** Undefined: not even the shortest has room. */
export async function briefIn(source: BriefSource, room: number): Promise<JsonObject | undefined> {
  const { frozen, upTo } = source;
  if (frozen && frozen.tokens <= MOST_TOKENS) {
    const whole = asHandedOver(frozen, upTo);
    if (jsonBytes(whole) <= room) return whole;
  }
  const tokens = Math.floor((room - FIELDS_BYTES) / BYTES_OF_TOKEN);
  const first = await written(source, tokens);
  const size = jsonBytes(first);
  if (size <= room) return first;
  // It grows as much as the first did, or, where that is not enough, as much as anything can.
  for (const budget of [Math.floor((tokens * room) / size), Math.floor(tokens / GROWTH)]) {
    const shorter = await written(source, budget);
    if (jsonBytes(shorter) <= room) return shorter;
  }
  return undefined;
}

async function written(source: BriefSource, tokens: number): Promise<JsonObject> {
  const budget = Math.min(MOST_TOKENS, Math.max(LEAST_TOKENS, tokens));
  return shownAs(source, await source.write(budget));
}

async function shortest(source: BriefSource): Promise<JsonObject> {
  const { frozen } = source;
  return frozen && frozen.tokens <= LEAST_TOKENS
    ? asHandedOver(frozen, source.upTo)
    : written(source, LEAST_TOKENS);
}

/** What was handed over before such letters were left out of a brief may have some; the digest is of the text with them. */
function asHandedOver(frozen: Brief, upTo: number): JsonObject {
  const text = withoutUnseen(frozen.text);
  return text === frozen.text
    ? { ...frozen, upTo }
    : { ...frozen, text, tokens: tokensOf(text), rebuilt: true, upTo };
}

/** The digest stays that of what was handed over. */
const shownAs = ({ frozen, upTo }: BriefSource, brief: Brief): JsonObject => ({
  ...brief,
  ...(frozen && { digest: frozen.digest, rebuilt: true }),
  upTo,
});
