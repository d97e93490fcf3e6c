import { rows } from './row.js';

/** Service, errors and gRPC behaviour of MACP as it is today, where `wire-2026.ts` has no row yet. */
export const calls2026Requirements = [
  ...rows('MACP-2026', '1', {
    'macp-2026:1:methods': 'The service has its 27 methods, with their requests and answers.',
    'macp-2026:1:fields':
      'Every message has the fields, numbers and types of the protocol, every enum its values.',
    'macp-2026:1:open': 'Initialize, GetManifest, the lists of modes and roots, and GetReceiptKeys are open.',
    'macp-2026:1:authenticated': 'Every other call is UNAUTHENTICATED without a credential.',
    'macp-2026:1:watches': 'So is every watch.',
    'macp-2026:1:may-manage': 'Changing modes and policies is FORBIDDEN without can_manage_mode_registry.',
  }),
  ...rows('MACP-2026', '2', {
    'macp-2026:2:unauthorized': 'UNAUTHORIZED is no code of this server.',
  }),
  ...rows('MACP-2026', '2.3', {
    'macp-2026:2.3:participants':
      'Participants of a denial are sorted, each once, left out when there are none.',
    'macp-2026:2.3:inline': 'An inline error of a stream has the details that the Ack has.',
    'macp-2026:2.3:unspecified': 'A reason without a code is unspecified.',
  }),
  ...rows('MACP-2026', '3.1', {
    'macp-2026:3.1:version': 'Initialize without 1.0 is UNSUPPORTED_PROTOCOL_VERSION.',
    'macp-2026:3.1:capabilities': 'Initialize promises what is served and no more.',
    'macp-2026:3.1:read-only': 'It does not promise to register policies that come from files.',
    'macp-2026:3.1:modes': 'supported_modes has every mode, extensions too.',
  }),
  ...rows('MACP-2026', '3.3', {
    'macp-2026:3.3:synthetic': 'An implicit answer takes an ordinal and is delivered in its place.',
  }),
  ...rows('MACP-2026', '3.4', {
    'macp-2026:3.4:outsider': 'An outsider who subscribes hears FORBIDDEN inline; the stream stays open.',
    'macp-2026:3.4:observer': 'Initiator, participants and observers may subscribe.',
    'macp-2026:3.4:no-gap': 'History and what comes follow without gap or repetition.',
    'macp-2026:3.4:beyond-end': 'A position beyond the end means what comes.',
    'macp-2026:3.4:no-answer': 'Accepted envelopes come once, by broadcast; duplicates get no frame.',
    'macp-2026:3.4:lagged': 'A reader who is too slow gets STREAM_LAGGED and the position to go on from.',
  }),
  ...rows('MACP-2026', '3.5', {
    'macp-2026:3.5:first-sync':
      'WatchSessions begins with a CREATED for each session, observed at its start.',
    'macp-2026:3.5:events': 'Then it tells what happens to them.',
    'macp-2026:3.5:lagged': 'A watcher who is too slow gets STREAM_LAGGED.',
  }),
  ...rows('MACP-2026', '3.7', {
    'macp-2026:3.7:policies': 'WatchPolicies gives the whole list at once and after each change.',
    'macp-2026:3.7:modes': 'WatchModeRegistry gives a notice of modes at once and on change.',
    'macp-2026:3.7:roots': 'WatchRoots gives one notice.',
  }),
  ...rows('MACP-2026', '3.8', {
    'macp-2026:3.8:manifest': 'GetManifest answers for no id and for that of the runtime.',
  }),
  ...rows('MACP-2026', '17.1', {
    'macp-2026:17.1:tracing': 'Headers of a trace change nothing.',
  }),
  ...rows('MACP-2026', '18', {
    'macp-2026:18:metrics': 'The metrics have the names of our own table.',
  }),
  ...rows('MACP-2026', '19', {
    'macp-2026:19:tls': 'The client speaks plaintext on this machine, and elsewhere only when told to.',
    'macp-2026:19:retry':
      'Retries send the same envelope, after RATE_LIMITED, INTERNAL_ERROR and faults that may pass.',
  }),
];
