import { rows } from './row.js';

/** The send pipeline, numbered as the specification numbers its rows. */
export const sendRequirements = [
  ...rows('MACP', '2.2', {
    'send:0:envelope-present':
      'A Send without an envelope is the one failure that is a gRPC status, INVALID_ARGUMENT.',
    'send:1:protocol-version': 'Any macp_version but 1.0 is UNSUPPORTED_PROTOCOL_VERSION.',
    'send:2:type-present': 'An empty message type is INVALID_ENVELOPE.',
    'send:2:message-id-present': 'An empty message id is INVALID_ENVELOPE.',
    'send:3:signal-ambient': 'A Signal carries neither session id nor mode, else INVALID_ENVELOPE.',
    'send:3:progress-ambient': 'A Progress without session id carries no mode, else INVALID_ENVELOPE.',
    'send:4:session-id-present': 'Every other type needs a session id, else INVALID_ENVELOPE.',
    'send:4:mode-present': 'Every other type needs a mode that is not blank, else INVALID_ENVELOPE.',
    'send:5:payload-limit': 'A payload above the limit is PAYLOAD_TOO_LARGE; at the limit it passes.',
    'send:6:authenticated': 'A missing or unknown credential is UNAUTHENTICATED, as an Ack.',
    'send:7:sender-matches': 'A sender other than the authenticated one is UNAUTHENTICATED.',
    'send:7:sender-overwritten': 'An empty sender is filled in with the authenticated one.',
    'send:8:may-start': 'An identity that may not start sessions gets FORBIDDEN for a SessionStart.',
    'send:8:allowed-modes': 'An identity limited to some modes gets FORBIDDEN for any other.',
    'send:9:rate-limit': 'More messages than the window allows are RATE_LIMITED until it has passed.',
    'send:9:separate-buckets': 'SessionStart and all other messages are counted apart.',
    'send:10:ingress-policy':
      'Without an ingress policy engine nothing is refused between rate limit and dispatch.',
    'send:11:dispatch': 'SessionStart, ambient types and session messages each go to their own pipeline.',
    'send:order:shape-first': 'The shape of an envelope is judged before its credential.',
    'send:order:sender-before-session': 'A forged sender is found before the session is looked at.',
  }),
  ...rows('MACP', '2.6', {
    'send:signal:type-present': 'A Signal with a payload needs a signal type that is not blank.',
    'send:signal:not-in-history': 'Signals and Progress are acknowledged as OPEN and enter no history.',
    'send:progress:decodes': 'A Progress payload must decode.',
  }),
  ...rows('MACP', '2.1', {
    'send:reserved-types':
      'SessionCancel, SessionSuspend and SessionResume from a client are INVALID_ENVELOPE.',
  }),
];
