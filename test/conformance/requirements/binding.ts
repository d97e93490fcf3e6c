import { rows } from './row.js';

/** The JSON of messages, and the HTTP binding that carries it. */
export const bindingRequirements = [
  ...rows('MACP-2026', '16', {
    'macp-2026:16:names': 'Members have the names of the proto files; others are ignored.',
    'macp-2026:16:camel-case':
      'The camelCase name of a field, and timestamp_unix_ms of an envelope, are refused in the name of the field.',
    'macp-2026:16:integers': 'Integers are numbers, quoted beyond 2^53 - 1, and are read exactly or refused.',
    'macp-2026:16:defaults': 'Fields without presence are written with their default, others only when set.',
    'macp-2026:16:null': 'null is absence, but not within a list or a map.',
    'macp-2026:16:enums': 'Enums are written by name, read by name or number; unknown names set nothing.',
    'macp-2026:16:bytes': 'Bytes are padded standard base64; both alphabets are read, padded or not.',
    'macp-2026:16:floats': 'Floats are numbers, quoted numbers, NaN, Infinity or -Infinity.',
    'macp-2026:16:duplicates': 'A name that comes twice in an object is refused at any depth.',
    'macp-2026:16:nesting': 'JSON is nested at most 64 deep.',
    'macp-2026:16:timestamp': 'timestamp, in RFC 3339, stands for timestamp_unix_ms.',
    'macp-2026:16:payload': 'An envelope has exactly one of payload and payload_b64.',
    'macp-2026:16:rules': 'Rules of a policy are an object; text that is no JSON object stays text.',
    'macp-2026:16:payload-type':
      'Mode and type name the payload message; without one only payload_b64 is taken.',
    'macp-2026:16:exact-payload':
      'A payload is written as JSON only if its bytes are what the JSON encodes to.',
    'macp-2026:16:deterministic':
      'A payload given as JSON has one encoding, whatever the order of its members.',
  }),
  ...rows('MACP-2026', '17', {
    'macp-2026:17.1:path':
      'Every RPC is at POST {base}/macp/v1/{Method}, with and without the path of the base.',
    'macp-2026:17.1:media-type': 'Anything but application/json in UTF-8 is 415, without a body.',
    'macp-2026:17.1:methods': 'Another method is 405 with Allow, an unknown name 404, both without a body.',
    'macp-2026:17.1:credential': 'Only a bearer is a credential; open RPCs ask for none.',
    'macp-2026:17.1:order': 'Refusals come in the order 415, 406, 401, 413, 400.',
    'macp-2026:17.2:send': 'Send answers 200 with an Ack for every decision about the envelope.',
    'macp-2026:17.2:request-level':
      'What is no JSON object, has no envelope or a name twice is 400 INVALID_REQUEST.',
    'macp-2026:17.2:errors':
      'Refusals have the status of their code, a body with error, and MACP-Error-Code.',
    'macp-2026:17.2:time-out': 'A request that takes too long is 500 INTERNAL_ERROR.',
    'macp-2026:17.2:cap': 'A body has at most 4/3 of the payload limit and 65,536 bytes.',
    'macp-2026:17.3:accept': 'A stream needs an Accept that allows text/event-stream, else 406.',
    'macp-2026:17.3:events': 'One event for each message; envelopes carry their ordinal as id, watches none.',
    'macp-2026:17.3:subscribe-only': 'StreamSession takes no envelope.',
    'macp-2026:17.3:resume':
      'Last-Event-ID resumes; it must agree with after_sequence where that is not zero.',
    'macp-2026:17.3:refusals': 'Before the stream: 400, 401, 403, 404 and 429 by the code.',
    'macp-2026:17.3:ends':
      'It ends after the Commitment; a cancelled or expired session ends it with an error event.',
    'macp-2026:17.3:lagged': 'Who is too slow gets an error event STREAM_LAGGED.',
    'macp-2026:17.3:keepalive': 'After 30 seconds of silence comes a comment; there is no retry field.',
    'macp-2026:17.3:controls': 'Suspend, resume and cancel are not delivered and take no ordinal.',
    'macp-2026:17.4:well-known':
      'GET and HEAD /.well-known/macp.json give the manifest, open; other methods are 405.',
    'macp-2026:17.4:no-cors': 'No origin is allowed: a preflight is 405 and no CORS header is sent.',
    'macp-2026:3.8:endpoints': 'With a public base URL the manifest names the binding and its address.',
  }),
];
