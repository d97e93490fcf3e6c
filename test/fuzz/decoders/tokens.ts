/** What a caller carries for the server: page tokens, marks, cursors, ids of handoffs, resource addresses. */
import { HandoverError, isSessionId } from '@handover/core';
import { cursorFrom } from '@handover/engine';
import { readDecimalCursor } from '../../../packages/engine/src/decimal-cursor.js';
import { Scope } from '../../../packages/server/src/auth/scopes.js';
import { locate, uriOf } from '../../../packages/server/src/doors/mcp/resources/address.js';
import { RESOURCE_PATHS } from '../../../packages/server/src/doors/mcp/resources/catalogue.js';
import type { ResourceKind } from '../../../packages/server/src/doors/mcp/resources/resource-kind.js';
import {
  fromSequenceCursor,
  toSequenceCursor,
} from '../../../packages/server/src/doors/mcp/resources/sequence-cursor.js';
import { formatHandoffId, parseHandoffId } from '../../../packages/server/src/services/handoffs/ids.js';
import { decodeMark, encodeMark } from '../../../packages/server/src/services/marks.js';
import {
  pageToken,
  readPageToken,
  type TokenList,
} from '../../../packages/server/src/services/page-token.js';
import { decoderTarget } from '../decoder-target.js';
import type { Random } from '../values/random.js';
import { mutateText, text, word } from '../values/texts.js';

const LISTS: readonly TokenList[] = ['sessions', 'workingSessions', 'handoffs', 'context', 'feed'];

const KINDS: readonly ResourceKind[] = RESOURCE_PATHS.map((path) => ({
  name: path,
  title: '',
  description: '',
  path,
  scope: Scope.HANDOFF_READ,
  paged: true,
  read: async () => ({ value: {} }),
}));

export const tokens = decoderTarget({
  name: 'tokens',
  generate(random) {
    const right = random.pick([
      () => pageToken(random.pick(LISTS), text(random, 300)),
      () => encodeMark(cursorFrom(String(random.word()))),
      () => toSequenceCursor(random.word()),
      () => formatHandoffId(word(random), text(random, 300).replace(/\p{Cs}/gu, '')),
      () => random.pick(['0.1', '1', '999999999999999', '9999999999999999', '']),
    ])();
    return random.oneIn(3) ? right : random.oneIn(3) ? text(random) : mutateText(random, right);
  },
  check(input) {
    const given = String(input);
    for (const list of LISTS) {
      const place = readPageToken(list, given);
      if (place === undefined) continue;
      if (readPageToken(list, pageToken(list, place)) !== place)
        return `a token of ${list} does not come back the same`;
    }
    const mark = decodeMark(given);
    if (mark !== undefined && decodeMark(encodeMark(mark)) !== mark)
      return 'a mark does not come back the same';
    const sequence = fromSequenceCursor(given);
    if (sequence !== undefined && fromSequenceCursor(toSequenceCursor(sequence)) !== sequence)
      return 'a sequence cursor does not come back the same';
    return cursorFlaw(given) ?? handoffFlaw(given);
  },
});

function cursorFlaw(given: string): string | undefined {
  try {
    return Number.isSafeInteger(readDecimalCursor(cursorFrom(given)))
      ? undefined
      : 'a cursor is not a whole number';
  } catch (thrown) {
    return thrown instanceof HandoverError ? undefined : `a cursor is refused by ${String(thrown)}`;
  }
}

function handoffFlaw(given: string): string | undefined {
  const id = parseHandoffId(given);
  // What an offer is called came through a decoder that takes no half of a surrogate pair.
  if (!id || /\p{Cs}/u.test(id.offerId)) return undefined;
  const again = parseHandoffId(formatHandoffId(id.sessionId, id.offerId));
  const same = again?.sessionId === id.sessionId && again.offerId === id.offerId;
  return same ? undefined : 'the id of a handoff does not come back the same';
}

function address(random: Random): string {
  const path = random
    .pick(RESOURCE_PATHS)
    .replace(/\{\w+\}/g, () => encodeURIComponent(text(random, 60).replace(/\p{Cs}/gu, '')));
  return `handoff://${path}${random.oneIn(3) ? `?cursor=${encodeURIComponent(word(random))}` : ''}`;
}

export const addresses = decoderTarget({
  name: 'resource-addresses',
  generate(random) {
    const right = address(random);
    return random.oneIn(4) ? right : random.oneIn(6) ? text(random) : mutateText(random, right);
  },
  check(input) {
    const found = locate(KINDS, String(input));
    if (!found) return undefined;
    const { kind, address: at } = found;
    if (Object.values(at.values).some((value) => /\p{Cs}/u.test(value))) return undefined;
    // An id of a handoff is given out in one spelling; others are read, and lead to the same.
    const { handoffId } = at.values;
    const id = handoffId === undefined ? undefined : parseHandoffId(handoffId);
    const isOurs = id && isSessionId(id.sessionId) && formatHandoffId(id.sessionId, id.offerId) === handoffId;
    if (handoffId !== undefined && !isOurs) return undefined;
    const again = locate(KINDS, uriOf(kind, at.values));
    const same = again?.kind === kind && JSON.stringify(again.address.values) === JSON.stringify(at.values);
    return same || uriOf(kind, at.values).length > 4_096
      ? undefined
      : 'an address does not lead back to itself';
  },
});
