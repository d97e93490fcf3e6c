/** Canonical JSON, digests over it, packages, notes and times. */
import { isDeepStrictEqual } from 'node:util';
import {
  type Json as CoreJson,
  canonicalJson,
  DEFAULT_TOKEN_BUDGET,
  digestOf,
  formatTimestamp,
  makePackage,
  packageBytes,
  parseTimestamp,
  readCanonical,
  readPackage,
  saidNotes,
} from '@handover/core';
import { mediaTypeOf } from '../../../packages/server/src/doors/http/media-type.js';
import { parseBounded } from '../../../packages/server/src/platform/json/parse-bounded.js';
import { nodeCodec as codec } from '../../../packages/server/src/platform/node-codec.js';
import { decoderTarget } from '../decoder-target.js';
import { type Json, json, parsed } from '../values/json.js';
import { mutateJson } from '../values/mutate-json.js';
import { mutateText, text } from '../values/texts.js';

const METADATA: Json = { note: { decision: 'SQLite', file: ['a.ts'], supersedes: 1 }, supersedes: [1, 2] };
const LIMITS = { bytes: 1_048_576, depth: 32, values: 20_000 };

export const canonical = decoderTarget({
  name: 'canonical-json',
  generate: (random) => ({
    text: random.oneIn(4) ? text(random) : mutateText(random, JSON.stringify(json(random, 5))),
    metadata: mutateJson(random, METADATA),
    time: random.oneIn(4) ? text(random, 60) : mutateText(random, '2026-11-15T12:00:00.123+01:00'),
    type: random.oneIn(4) ? text(random, 80) : mutateText(random, 'application/json; charset="utf-8"'),
  }),
  check(input) {
    const given = input as { text: string; metadata: Json; time: string; type: string };
    mediaTypeOf(given.type);
    const ms = parseTimestamp(given.time);
    if (ms !== undefined && parseTimestamp(formatTimestamp(ms) ?? '') !== ms) return 'a time is not stable';
    saidNotes({
      number: 3,
      contextType: 'message',
      author: 'a',
      at: 0,
      content: given.text,
      metadata: fields(given.metadata),
    });
    readCanonical(given.text);
    const value = parsed(given.text) as CoreJson | undefined;
    return value === undefined ? depthFlaw(given.text) : (valueFlaw(value) ?? depthFlaw(given.text));
  },
});

const fields = (value: Json) =>
  (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}) as never;

function valueFlaw(value: CoreJson): string | undefined {
  const written = canonicalJson(value);
  const again = JSON.parse(written) as CoreJson;
  // Minus zero has no form of its own in JSON.
  const plain: unknown = JSON.parse(JSON.stringify(value));
  if (!isDeepStrictEqual(again, plain)) return 'canonical JSON means something else';
  if (canonicalJson(again) !== written || digestOf(again, codec) !== digestOf(value, codec))
    return 'canonical JSON is not stable';
  if ('flaw' in readCanonical(written)) return 'canonical JSON is refused';
  const made = makePackage({ ...EMPTY, requestData: fields(value as Json) }, codec);
  return isDeepStrictEqual(readPackage(packageBytes(made, codec), codec)?.digest, made.digest)
    ? undefined
    : 'a package is not stable';
}

const EMPTY = {
  handoffId: 's:h1',
  sessionKey: 'k',
  from: 'alice',
  to: 'bob',
  requestType: 'full_handoff',
  brief: { text: '', tokens: 0, tokenBudget: DEFAULT_TOKEN_BUDGET, omitted: {}, digest: '' },
  manifest: { firstSequence: 0, lastSequence: 0, entries: 0, headHash: '', counts: {} },
};

/** What passes the measure before it is parsed is no deeper afterwards. */
function depthFlaw(written: string): string | undefined {
  const read = parseBounded(written, LIMITS);
  if ('flaw' in read) return undefined;
  if (!isDeepStrictEqual(read.value, parsed(written))) return 'a text is read otherwise than by JSON.parse';
  return depthOf(read.value) > LIMITS.depth ? 'a text is deeper than it was measured' : undefined;
}

/** How many lists and objects stand inside one another. */
function depthOf(value: unknown): number {
  const open = (values: unknown[]) =>
    values.filter((one) => typeof one === 'object' && one !== null) as object[];
  let depth = 0;
  for (let level = open([value]); level.length > 0; depth++)
    level = open(level.flatMap((one) => Object.values(one) as unknown[]));
  return depth;
}
