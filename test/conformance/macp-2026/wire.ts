import { section } from './row.js';

/** 1 Service and messages, 2 errors and statuses. */
export const wireRows = [
  ...section('1', {
    'The service has 27 methods: unary, streams of the server, and one stream both ways.': [
      '§2',
      'macp-2026:1:methods',
    ],
    'Initialize, GetManifest, ListModes, ListRoots, ListExtModes and GetReceiptKeys need no credential.': [
      '§5,9,18',
      'macp-2026:1:open',
    ],
    'WatchModeRegistry and WatchRoots need no credential.': {
      of: '§10',
      decision: '2026-11-15-watches-need-a-credential',
      otherwise: 'They need one, as all watches do.',
      by: ['macp-2026:1:watches'],
    },
    'Send is refused in band, also for its credential.': [
      '§6',
      'send:6:authenticated',
      'send:0:envelope-present',
    ],
    'StreamSession, GetSession and the three controls need a credential.': [
      '§7-8',
      'decision:stream:terminating',
      'control:unauthenticated',
    ],
    'So do ListSessions, WatchSessions, WatchSignals, GetPolicy, ListPolicies and WatchPolicies.': [
      '§12,14-15',
      'macp-2026:1:authenticated',
      'macp-2026:1:watches',
    ],
    'Changing modes and policies needs can_manage_mode_registry.': [
      '§11,13',
      'macp-2026:1:may-manage',
      'policy:3:may-manage',
    ],
    'WhatIfReplay and GetDecisionReceipt are for readers of the session, and advertised.': [
      '§16-17',
      'macp-2026:15:readers',
      'macp-2026:14.3:readers',
      'macp-2026:3.1:receipts',
    ],
  }),
  ...section('1.1', {
    'Envelope, MACPError and Ack have these fields and numbers, SessionState these values.': [
      '§2-5',
      'macp-2026:1:fields',
    ],
  }),
  ...section('1.2', {
    'Every message of core.proto has these fields and numbers.': ['§2-28', 'macp-2026:1:fields'],
  }),
  ...section('1.3', {
    'Every message of policy.proto has these fields and numbers; first_divergence has presence.': [
      '§2,4-19',
      'macp-2026:1:fields',
    ],
    'registered_at_unix_ms is set by the server.': ['§2', 'policy:registered-at'],
  }),
  ...section('2', {
    'Each code has its gRPC and its HTTP status.': ['§3-24', 'macp-2026:2:statuses'],
    'UNAUTHENTICATED: no or a bad credential, or another sender.': [
      '§3',
      'send:6:authenticated',
      'send:7:sender-matches',
    ],
    'FORBIDDEN: a known caller without the right.': [
      '§4',
      'authority:offer',
      'commit:1:authority',
      'send:8:may-start',
    ],
    'SESSION_NOT_FOUND.': ['§5', 'message:1:session-known', 'control:unknown-session'],
    'SESSION_NOT_OPEN: terminal, suspended, or the time is up.': ['§6', 'message:4:expiry', 'message:5:open'],
    'DUPLICATE_MESSAGE is reserved; duplicates are ok.': ['§7', 'decision:duplicates:same'],
    'SESSION_ALREADY_EXISTS: a start on a used id.': ['§8', 'start:11:known-id'],
    'INVALID_ENVELOPE: shape, payload, rules of the mode, TTL.': [
      '§9',
      'send:4:session-id-present',
      'start:4:payload-decodes',
      'start:5:ttl',
    ],
    'UNSUPPORTED_PROTOCOL_VERSION.': ['§10', 'send:1:protocol-version', 'macp-2026:3.1:version'],
    'MODE_NOT_SUPPORTED.': ['§11', 'start:3:mode-registered', 'message:6:mode-still-registered'],
    'PAYLOAD_TOO_LARGE.': ['§12', 'send:5:payload-limit'],
    'RATE_LIMITED.': ['§13', 'send:9:rate-limit', 'start:16:open-sessions'],
    'INVALID_SESSION_ID.': ['§14', 'start:2:session-id'],
    'INTERNAL_ERROR: storage failed.': ['§15', 'message:9:durable', 'start:17:durable'],
    'UNKNOWN_POLICY_VERSION: a start that names none, GetPolicy of an unknown id.': [
      '§16',
      'start:12:policy-known',
      'macp-2026:2:unknown-policy',
    ],
    'POLICY_DENIED: the rules of the policy say no.': [
      '§17',
      'commit:10:policy',
      'mode:decision:7.5:all-reasons',
    ],
    'INVALID_POLICY_DEFINITION: admission, or a policy of another mode.': [
      '§18',
      'macp-2026:2:definition-prefix',
      'start:13:policy-mode',
    ],
    'REGISTRY_READ_ONLY: policies come from files.': ['§19', 'macp-2026:2:registry-read-only'],
    'INVALID_REQUEST: a request that is no envelope and malformed.': [
      '§20',
      'macp-2026:2:invalid-request',
      'macp-2026:15:candidate',
    ],
    'STREAM_LAGGED: a subscriber is too slow.': ['§21', 'macp-2026:3.4:lagged', 'macp-2026:17.3:lagged'],
    'AGENT_NOT_FOUND: GetManifest for an agent of others.': ['§22', 'macp-2026:2:agent-not-found'],
    'HISTORY_UNAVAILABLE: below what is kept.': {
      of: '§23',
      decision: '2026-11-15-history-is-kept',
      otherwise: 'It is never sent: the history of a session is kept whole as long as the session is.',
      by: ['decision:history:kept'],
    },
    'RECEIPT_UNAVAILABLE: no receipt can be made.': ['§24', 'macp-2026:14.3:states'],
    'UNAUTHORIZED is never sent.': ['§25', 'macp-2026:2:unauthorized'],
  }),
  ...section('2.1', {
    'Every status has the code in macp-error-code.': ['§1', 'macp-2026:2:code-trailer'],
  }),
  ...section('2.2', {
    'macp-error-details-bin has the bytes of MACPError.details, for POLICY_DENIED.': [
      '§1-2',
      'macp-2026:2:details-trailer',
    ],
    'Always: they are never too long.': {
      of: '§1',
      decision: '2026-11-19-refusals-are-short',
      otherwise: 'Up to 2,048 bytes; longer ones are in the Ack alone.',
      by: ['macp-2026:2.2:short'],
    },
    'And for HISTORY_UNAVAILABLE, with lowest_available_sequence.': {
      of: '§2',
      decision: '2026-11-15-history-is-kept',
      otherwise: 'It is never sent.',
      by: ['decision:history:kept'],
    },
  }),
  ...section('2.3', {
    'Details hold reasons and denials; a denial has code, message and participants.': [
      '§1-3',
      'macp-2026:2:denials',
    ],
    'Participants are sorted, each once, left out when there are none, and not in the message.': [
      '§4',
      'macp-2026:2.3:participants',
    ],
    'The same details are in an Ack, in an inline error of a stream and in the trailer.': [
      '§1',
      'macp-2026:2.3:inline',
    ],
    unspecified: ['§5-6', 'macp-2026:2.3:unspecified'],
    veto: ['§6', 'mode:decision:7.5:veto:deny'],
    veto_hold: ['§6', 'mode:decision:7.5:veto:hold'],
    quorum_not_met: ['§6', 'mode:decision:7.5:quorum:count'],
    threshold_not_met: ['§6', 'mode:decision:7.5:majority'],
    confidence_below_minimum: ['§6', 'mode:decision:7.5:evaluation:minimum'],
    evaluation_required: ['§6', 'mode:decision:7.5:evaluation:required'],
    no_votes: ['§6', 'mode:decision:7.5:no-votes:schema-3'],
    decline_over_approval: ['§6', 'mode:decision:7.5:negative:over-approval'],
    decline_not_backed: ['§6', 'mode:decision:7.5:negative:backed'],
    criterion_not_met: ['§6', 'mode:proposal:8.4:criterion-not-met'],
    output_required: ['§6', 'mode:task:9.3:commitment:output'],
    reassignment_not_allowed: ['§6', 'mode:task:9.3:reject:policy'],
    unsupported_schema_version: ['§6', 'commit:10:policy'],
    invalid_rules: ['§6', 'macp-2026:6.7:denies'],
  }),
  ...section('2.4', {
    'An inadmissible definition is answered with the prefix, a taken id without.': [
      '§1-2',
      'macp-2026:2:definition-prefix',
    ],
  }),
  ...section('2.5', {
    'Send answers an Ack for every decision; without an envelope it is a status.': [
      '§1-2',
      'send:0:envelope-present',
    ],
    'Controls: an unknown session and a missing right are statuses, a wrong state is an Ack.': [
      '§3-4',
      'control:unknown-session',
      'control:authority',
      'control:suspend:only-open',
    ],
  }),
];
