/** Envelopes and payloads in JSON: read as HTTP reads them, and again after they were written. */
import { isDeepStrictEqual } from 'node:util';
import {
  corePayloads,
  envelopeFromJson,
  envelopeToJson,
  findPayload,
  HANDOFF_MODE,
  handoffPayloads,
  payloadFromJson,
  payloadToJson,
  RejectionCode,
} from '@handover/core';
import { nodeCodec as codec } from '../../../packages/server/src/platform/node-codec.js';
import { decoderTarget } from '../decoder-target.js';
import { type Json, json, parsed } from '../values/json.js';
import { jsonText, mutateJson } from '../values/mutate-json.js';
import type { Random } from '../values/random.js';
import { text, uuid, word } from '../values/texts.js';

const TYPES = [...Object.keys(corePayloads), ...Object.keys(handoffPayloads)];

const PARTICIPANTS = ['alice', 'bob', 'carol'];

/** An envelope with every field of its payload, most of them as a running session would take them. */
export function envelopeJson(random: Random, sender: string, session: string): Record<string, Json> {
  const type = random.pick(TYPES);
  const names = findPayload(HANDOFF_MODE, type)?.json.names ?? [];
  return {
    macp_version: '1.0',
    mode: random.oneIn(20) ? '' : HANDOFF_MODE,
    message_type: type,
    message_id: random.oneIn(10) ? 'm1' : uuid(random),
    session_id: session,
    sender,
    // A clock that differs too much is refused, so most leave it out.
    ...(random.oneIn(4) && { timestamp: new Date(1_700_000_000_000 + random.word()).toISOString() }),
    payload: Object.fromEntries(names.map((name) => [name, field(random, name)])),
  };
}

const FIELDS: Readonly<Record<string, (random: Random) => Json>> = {
  mode_version: () => '1.0.0',
  configuration_version: () => 'config.default',
  policy_version: () => '',
  participants: () => PARTICIPANTS,
  target_participant: (random) => random.pick(PARTICIPANTS),
  handoff_id: (random) => random.pick(['h1', 'h2', 'h3']),
  ttl_ms: (random) => random.pick<Json>([1_000, 60_000, '60000']),
  max_suspend_ms: (random) => random.pick([0, 500, 60_000]),
  action: (random) => random.pick(['handoff.accepted', 'handoff.declined', 'handoff.failed']),
  confidence: (random) => random.pick<Json>([0.5, 1, 'NaN', '-Infinity']),
  progress: (random) => random.pick<Json>([0.5, 1, 'Infinity']),
  total: () => 1,
  outcome_positive: (random) => random.oneIn(2),
  implicit: () => false,
  roots: (random) => [{ uri: text(random, 40), name: word(random) }],
  extensions: (random) => ({ [word(random)]: 'AQI=' }),
  supersedes: (random) => ({ session_id: uuid(random), commitment_hash: word(random) }),
  data: () => 'AQI=',
  context: () => 'AQI=',
  banked_ms: () => 0,
};

const field = (random: Random, name: string): Json =>
  FIELDS[name]?.(random) ?? (random.oneIn(3) ? '' : word(random));

export const envelopes = decoderTarget({
  name: 'envelope-json',
  generate(random) {
    const right = envelopeJson(random, word(random), uuid(random));
    const value = random.oneIn(8) ? json(random) : random.oneIn(3) ? right : mutateJson(random, right);
    return jsonText(random, value);
  },
  check(input) {
    const value = parsed(String(input));
    const flaw = checkPayloads(value);
    if (flaw !== undefined) return flaw;
    const reading = envelopeFromJson(value, codec);
    if ('rejection' in reading)
      return reading.rejection.code === RejectionCode.INVALID_ENVELOPE
        ? undefined
        : `refused with ${reading.rejection.code}`;
    const again = envelopeFromJson(
      JSON.parse(JSON.stringify(envelopeToJson(reading.envelope, codec))),
      codec,
    );
    return isDeepStrictEqual(again, reading) ? undefined : 'an envelope does not come back the same';
  },
});

function checkPayloads(value: unknown): string | undefined {
  const payload = (value as { payload?: unknown } | null)?.payload;
  for (const type of TYPES) {
    const kind = findPayload(HANDOFF_MODE, type);
    const reading = kind && payloadFromJson(kind, payload, codec);
    if (!kind || !reading || 'rejection' in reading) continue;
    const again = payloadFromJson(
      kind,
      JSON.parse(JSON.stringify(payloadToJson(kind, reading.payload, codec))),
      codec,
    );
    if (!isDeepStrictEqual(again, reading)) return `a payload of ${type} does not come back the same`;
  }
  return undefined;
}
