/** Entries of a registry as a log holds them, also those that nobody could make now. */
import { GENESIS, headOf, seal } from '../index.js';
import { type Draft, type Entry, NO_PAYLOAD } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import { testCodec as codec } from '../modes/mode-session.test.helper.js';
import { verifyStream } from '../proof/stream-audit.js';

type Kind = 'modes' | 'policies';

const SALT = new Uint8Array(16);

export function logOf(kind: Kind, facts: readonly (readonly [string, JsonObject])[]): Entry[] {
  const stream = { tenant: 'default', kind, id: kind };
  let head = GENESIS;
  return facts.map(([type, each], index) => {
    const messageId = `runtime:${type}:${index + 1}`;
    const draft: Draft = { type, v: 1, actor: 'admin', messageId, facts: each, payload: NO_PAYLOAD };
    const entry = seal(codec, stream, head, draft, 1_000, SALT);
    head = headOf(entry);
    return entry;
  });
}

export const verified = (kind: Kind, entries: readonly Entry[]) =>
  verifyStream({ tenant: 'default', kind, id: kind }, entries, codec);
