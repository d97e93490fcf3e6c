import { section } from './row.js';

/** 3 gRPC behaviour. */
export const callRows = [
  ...section('3.1', {
    'Initialize without versions is INVALID_REQUEST.': ['§2', 'macp-2026:2:invalid-request'],
    'Without 1.0 among them it is UNSUPPORTED_PROTOCOL_VERSION.': ['§3', 'macp-2026:3.1:version'],
    'The capabilities are these.': ['§4', 'macp-2026:3.1:capabilities'],
    'register_policy is false when policies come from files.': ['§4', 'macp-2026:3.1:read-only'],
    'rule_extensions, what_if_replay and decision_receipt are advertised.': ['§4', 'macp-2026:3.1:receipts'],
    'supported_modes has all modes, extensions too.': ['§5', 'macp-2026:3.1:modes'],
    'Clients do not ask for what is not advertised.': ['§6', 'macp-2026:19:receipts'],
  }),
  ...section('3.2', {
    'The shape comes before the credential.': ['§1', 'send:order:shape-first'],
    'macp_version, message_type and message_id.': [
      '§3',
      'send:1:protocol-version',
      'send:2:type-present',
      'send:2:message-id-present',
    ],
    'Signals, Progress and all others: who has session and mode.': [
      '§4-6',
      'send:3:signal-ambient',
      'send:3:progress-ambient',
      'send:4:session-id-present',
      'send:4:mode-present',
    ],
    'The payload has a limit.': ['§7', 'send:5:payload-limit'],
    'Then the credential and the sender, empty or the same.': [
      '§8',
      'send:6:authenticated',
      'send:7:sender-matches',
      'send:7:sender-overwritten',
      'send:order:sender-before-session',
    ],
    'Then allowed_modes and can_start_sessions.': ['§1', 'send:8:allowed-modes', 'send:8:may-start'],
    'Then the rate, of starts and of messages apart.': [
      '§1-2',
      'send:9:rate-limit',
      'send:9:separate-buckets',
    ],
    'Then the session.': ['§1', 'send:11:dispatch'],
  }),
  ...section('3.3', {
    'Positions count accepted envelopes from 1; after_sequence is exclusive, 0 is the start.': [
      '§2-4',
      'macp-2026:3.3:ordinals',
    ],
    'Suspend, resume, cancel and expiry have none and are not delivered.': [
      '§5',
      'macp-2026:3.3:ordinals',
      'macp-2026:3.3:controls-on-request',
      'decision:expiry:no-envelope',
    ],
    'A synthetic HandoffAccept has one and is delivered.': ['§6', 'macp-2026:3.3:synthetic'],
  }),
  ...section('3.4', {
    'The first frame binds; another session, both members or none end the stream.': [
      '§2-4',
      'decision:stream:terminating',
    ],
    'Initiator, participants and observers may subscribe; others hear FORBIDDEN, and the stream stays.': [
      '§5-6',
      'macp-2026:3.4:outsider',
      'macp-2026:3.4:observer',
    ],
    'An unknown session is NOT_FOUND with SESSION_NOT_FOUND.': ['§7', 'decision:stream:terminating'],
    'The history first, then what comes, without gap or repetition.': ['§8', 'macp-2026:3.4:no-gap'],
    'A position beyond the end means what comes.': ['§9', 'macp-2026:3.4:beyond-end'],
    'One below the kept history is HISTORY_UNAVAILABLE.': {
      of: '§10',
      decision: '2026-11-15-history-is-kept',
      otherwise: 'It is never sent.',
      by: ['decision:history:kept'],
    },
    'A refused envelope is an inline error with code, details and message id.': [
      '§11',
      'decision:stream:inline',
      'macp-2026:2.3:inline',
    ],
    'These errors end it: PAYLOAD_TOO_LARGE, RATE_LIMITED, INTERNAL_ERROR, INVALID_SESSION_ID, INVALID_POLICY_DEFINITION, SESSION_ALREADY_EXISTS, a session that is not open, another mode.':
      {
        of: '§12-13',
        decision: '2026-11-15-which-errors-end-a-stream',
        otherwise:
          'They are inline errors. What ends it: a bad credential or another sender, a frame that cannot be read or names two sessions, an unknown session, lag, the end of the server.',
        by: ['decision:stream:terminating', 'decision:stream:inline'],
      },
    'Accepted envelopes and duplicates get no answer of their own.': ['§14-15', 'macp-2026:3.4:no-answer'],
    'The stream does not end with the session.': ['§16', 'decision:stream:end'],
    'Who is 256 envelopes behind gets STREAM_LAGGED.': {
      of: '§17',
      decision: '2026-11-19-small-differences',
      otherwise: 'Who is too many bytes behind does, with the position to go on from.',
      by: ['macp-2026:3.4:lagged'],
    },
  }),
  ...section('3.5', {
    'WatchSessions: one CREATED for each known session, observed at its start, then events.': [
      '§1',
      'macp-2026:3.5:first-sync',
      'macp-2026:3.5:events',
    ],
    'Lag is STREAM_LAGGED.': ['§3', 'macp-2026:3.5:lagged'],
    'ListSessions: by id, 100 at a time, 1000 at most, until the token is empty.': [
      '§4-5',
      'decision:lists:page-size',
    ],
    'A negative size and a foreign token are refused.': ['§4', 'macp-2026:2:invalid-request'],
    'Neither is filtered by caller.': {
      of: '§6',
      decision: '2026-11-15-outsiders-by-id',
      otherwise:
        'Both show what the caller may read: members their own sessions, observers all of their tenant.',
      by: ['decision:outsiders:lists'],
    },
  }),
  ...section('3.6', {
    'sender_authenticated is true for verified credentials, false in dev mode.': [
      '§1,3',
      'macp-2026:3.6:sender-authenticated',
    ],
  }),
  ...section('3.7', {
    'WatchPolicies: the whole list at once and after each change.': ['§1', 'macp-2026:3.7:policies'],
    'WatchModeRegistry: a notice at once and on change, of the registry modes.': [
      '§2-3',
      'macp-2026:3.7:modes',
    ],
    'WatchRoots: one notice.': ['§4', 'macp-2026:3.7:roots'],
  }),
  ...section('3.8', {
    'GetManifest answers for no id and for its own.': [
      '§1-2',
      'macp-2026:3.8:manifest',
      'macp-2026:2:agent-not-found',
    ],
    'With a public URL it names the HTTP binding.': ['§3', 'macp-2026:3.8:endpoints'],
  }),
  ...section('3.9', {
    'Cancel, suspend and resume: the initiator, or whoever may commit.': ['§1', 'control:authority'],
    'Cancelling what is over is ok, with the state as it is.': ['§2', 'control:cancel:idempotent'],
  }),
];
