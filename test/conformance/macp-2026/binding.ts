import { section } from './row.js';

/** 16 JSON of messages, 17 HTTP binding. */
export const bindingRows = [
  ...section('16', {
    'Names, unknown members.': ['§2,5', 'macp-2026:16:names'],
    'camelCase names, and timestamp_unix_ms of an Envelope, are unknown members and ignored.': {
      of: '§2',
      decision: '2026-11-19-camel-case-is-refused',
      otherwise: 'They are refused, and the refusal names the field: what they say would bind nobody.',
      by: ['macp-2026:16:camel-case'],
    },
    'A field that is missing has its default, outcome_positive among them.': {
      of: '§4',
      decision: '2026-11-15-outcome-must-be-said-in-json',
      otherwise: 'A Commitment in JSON without outcome_positive is INVALID_ENVELOPE.',
      by: ['decision:outcome-positive:json'],
    },
    'Integers.': ['§3,7', 'macp-2026:16:integers'],
    'A number may have any length.': {
      of: '§7,13',
      decision: '2026-11-19-refusals-are-short',
      otherwise: 'It has 400 characters at most.',
      by: ['macp-2026:16:long-numbers'],
    },
    'Defaults and presence.': ['§4', 'macp-2026:16:defaults'],
    null: ['§6', 'macp-2026:16:null'],
    'Enums.': ['§8-10', 'macp-2026:16:enums'],
    'Bytes.': ['§11-12', 'macp-2026:16:bytes'],
    'Floats.': ['§13', 'macp-2026:16:floats'],
    'Repeated names.': ['§14', 'macp-2026:16:duplicates'],
    'Nesting.': ['§15', 'macp-2026:16:nesting'],
    'Envelope.timestamp.': ['§15', 'macp-2026:16:timestamp'],
    'Envelope.payload and payload_b64.': ['§16-17', 'macp-2026:16:payload'],
    'PolicyDescriptor.rules.': ['§18', 'macp-2026:16:rules'],
    'The type of a payload.': ['§19-20', 'macp-2026:16:payload-type'],
    'When a payload is written as JSON.': ['§20-21', 'macp-2026:16:exact-payload'],
    'Deterministic bytes.': ['§21-26', 'macp-2026:16:deterministic'],
  }),
  ...section('17.1', {
    'POST {base}/macp/v1/{Method}, also without the base.': ['§1-3,10', 'macp-2026:17.1:path'],
    '415, 405 and 404, without a body.': ['§4-5', 'macp-2026:17.1:media-type', 'macp-2026:17.1:methods'],
    'Authorization: Bearer only; open RPCs without.': {
      of: '§6-7',
      decision: '17.1 in dev mode',
      otherwise: 'The same; but in dev mode a request without a bearer comes from the default agent.',
      by: ['macp-2026:17.1:credential'],
    },
    'traceparent and tracestate are honoured.': {
      of: '§8',
      decision: '2026-11-19-small-differences',
      otherwise: 'They are taken and change nothing: the server keeps no traces of MACP calls.',
      by: ['macp-2026:17.1:tracing'],
    },
    'The order of refusals.': ['§9', 'macp-2026:17.1:order'],
  }),
  ...section('17.2', {
    'Send: 200 with an Ack.': ['§1-2', 'macp-2026:17.2:send'],
    'What is refused before: 401, 413, 400.': ['§3-4', 'macp-2026:17.2:request-level', 'macp-2026:17.2:cap'],
    'Other refusals: status, body, header.': ['§5-6', 'macp-2026:17.2:errors'],
    'Time-out: 500.': ['§7', 'macp-2026:17.2:time-out'],
    'The cap of a body.': ['§8', 'macp-2026:17.2:cap'],
  }),
  ...section('17.3', {
    'Accept, or 406.': ['§1-2', 'macp-2026:17.3:accept'],
    'Subscribe only.': ['§3-4', 'macp-2026:17.3:subscribe-only'],
    'Events and their ids.': ['§4-6', 'macp-2026:17.3:events'],
    'Keepalive; no retry field.': ['§7-8', 'macp-2026:17.3:keepalive'],
    'Last-Event-ID.': ['§9-10', 'macp-2026:17.3:resume'],
    'Refusals before the stream.': ['§11', 'macp-2026:17.3:refusals'],
    'How it ends.': ['§12-15', 'macp-2026:17.3:ends', 'macp-2026:17.3:lagged'],
    'Controls are not delivered.': ['§5', 'macp-2026:17.3:controls'],
  }),
  ...section('17.4', {
    'The manifest at the well-known address.': ['§1-3', 'macp-2026:17.4:well-known'],
    'CORS for origins that are listed.': {
      of: '§4-7',
      decision: '17.4 CORS',
      otherwise: 'There is none: a preflight is 405, and no CORS header is sent.',
      by: ['macp-2026:17.4:no-cors'],
    },
  }),
];
