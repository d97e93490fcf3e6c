import { section } from './row.js';

/** 16 JSON of messages, 17 HTTP binding, and what we do otherwise of 18 and 19. */
export const bindingRows = [
  ...section('16', {
    'Names, unknown members.': ['macp-2026:16:names'],
    'camelCase names, and timestamp_unix_ms of an Envelope, are unknown members and ignored.': {
      otherwise: 'They are refused, and the refusal names the field: what they say would bind nobody.',
      by: ['macp-2026:16:camel-case'],
    },
    'A field that is missing has its default, outcome_positive among them.': {
      otherwise: 'A Commitment in JSON without outcome_positive is INVALID_ENVELOPE.',
      by: ['decision:outcome-positive:json'],
    },
    'Integers.': ['macp-2026:16:integers'],
    'Defaults and presence.': ['macp-2026:16:defaults'],
    null: ['macp-2026:16:null'],
    'Enums.': ['macp-2026:16:enums'],
    'Bytes.': ['macp-2026:16:bytes'],
    'Floats.': ['macp-2026:16:floats'],
    'Repeated names.': ['macp-2026:16:duplicates'],
    'Nesting.': ['macp-2026:16:nesting'],
    'Envelope.timestamp.': ['macp-2026:16:timestamp'],
    'Envelope.payload and payload_b64.': ['macp-2026:16:payload'],
    'PolicyDescriptor.rules.': ['macp-2026:16:rules'],
    'The type of a payload.': ['macp-2026:16:payload-type'],
    'When a payload is written as JSON.': ['macp-2026:16:exact-payload'],
    'Deterministic bytes.': ['macp-2026:16:deterministic'],
  }),
  ...section('17.1', {
    'POST {base}/macp/v1/{Method}, also without the base.': ['macp-2026:17.1:path'],
    '415, 405 and 404, without a body.': ['macp-2026:17.1:media-type', 'macp-2026:17.1:methods'],
    'Authorization: Bearer only; open RPCs without.': {
      otherwise: 'The same; but in dev mode a request without a bearer comes from the default agent.',
      by: ['macp-2026:17.1:credential'],
    },
    'traceparent and tracestate are honoured.': {
      otherwise: 'They are taken and change nothing: the server keeps no traces of MACP calls.',
      by: ['macp-2026:17.1:tracing'],
    },
    'The order of refusals.': ['macp-2026:17.1:order'],
  }),
  ...section('17.2', {
    'Send: 200 with an Ack.': ['macp-2026:17.2:send'],
    'What is refused before: 401, 413, 400.': ['macp-2026:17.2:request-level', 'macp-2026:17.2:cap'],
    'Other refusals: status, body, header.': ['macp-2026:17.2:errors'],
    'Time-out: 500.': ['macp-2026:17.2:time-out'],
    'The cap of a body.': ['macp-2026:17.2:cap'],
  }),
  ...section('17.3', {
    'Accept, or 406.': ['macp-2026:17.3:accept'],
    'Subscribe only.': ['macp-2026:17.3:subscribe-only'],
    'Events and their ids.': ['macp-2026:17.3:events'],
    'Keepalive; no retry field.': ['macp-2026:17.3:keepalive'],
    'Last-Event-ID.': ['macp-2026:17.3:resume'],
    'Refusals before the stream.': ['macp-2026:17.3:refusals'],
    'How it ends.': ['macp-2026:17.3:ends', 'macp-2026:17.3:lagged'],
    'Controls are not delivered.': ['macp-2026:17.3:controls'],
  }),
  ...section('17.4', {
    'The manifest at the well-known address.': ['macp-2026:17.4:well-known'],
    'CORS for origins that are listed.': {
      otherwise: 'There is none: a preflight is 405, and no CORS header is sent.',
      by: ['macp-2026:17.4:no-cors'],
    },
  }),
  ...section('18', {
    'The names of metrics.': {
      otherwise: 'Ours: macp_<event>_total{mode}, and handover_ for all else.',
      by: ['macp-2026:18:metrics'],
    },
  }),
  ...section('19', {
    'TLS unless told otherwise.': {
      otherwise: 'The same, but for loopback, which is plaintext unless TLS is asked for.',
      by: ['macp-2026:19:tls'],
    },
    'Retries: three, 0.1 s doubling to 2 s, without jitter.': {
      otherwise: 'The same; what cannot pass is not tried again.',
      by: ['macp-2026:19:retry'],
    },
  }),
];
