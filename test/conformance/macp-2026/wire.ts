import { section } from './row.js';

/** 1 Service and messages, 2 errors and statuses. */
export const wireRows = [
  ...section('1', {
    'The service has 27 methods: unary, streams of the server, and one stream both ways.': [
      'macp-2026:1:methods',
    ],
    'Initialize, GetManifest, ListModes, ListRoots, ListExtModes and GetReceiptKeys need no credential.': [
      'macp-2026:1:open',
    ],
    'WatchModeRegistry and WatchRoots need no credential.': {
      otherwise: 'They need one, as all watches do.',
      by: ['macp-2026:1:watches'],
    },
    'Send is refused in band, also for its credential.': ['send:6:authenticated', 'send:0:envelope-present'],
    'StreamSession, GetSession and the three controls need a credential.': [
      'decision:stream:terminating',
      'control:unauthenticated',
    ],
    'So do ListSessions, WatchSessions, WatchSignals, GetPolicy, ListPolicies and WatchPolicies.': [
      'macp-2026:1:authenticated',
      'macp-2026:1:watches',
    ],
    'Changing modes and policies needs can_manage_mode_registry.': [
      'macp-2026:1:may-manage',
      'policy:3:may-manage',
    ],
    'WhatIfReplay and GetDecisionReceipt are for readers of the session, and advertised.': [
      'macp-2026:15:readers',
      'macp-2026:14.3:readers',
      'macp-2026:3.1:receipts',
    ],
  }),
  ...section('1.1', {
    'Envelope, MACPError and Ack have these fields and numbers, SessionState these values.': [
      'macp-2026:1:fields',
    ],
  }),
  ...section('1.2', {
    'Every message of core.proto has these fields and numbers.': ['macp-2026:1:fields'],
  }),
  ...section('1.3', {
    'Every message of policy.proto has these fields and numbers; first_divergence has presence.': [
      'macp-2026:1:fields',
    ],
    'registered_at_unix_ms is set by the server; the reference answers 0.': {
      otherwise: 'It is the time of registration, the same after a restart.',
      by: ['policy:registered-at'],
    },
  }),
  ...section('2', {
    'Each code has its gRPC and its HTTP status.': ['macp-2026:2:statuses'],
    'UNAUTHENTICATED: no or a bad credential, or another sender.': [
      'send:6:authenticated',
      'send:7:sender-matches',
    ],
    'FORBIDDEN: a known caller without the right.': [
      'authority:offer',
      'commit:1:authority',
      'send:8:may-start',
    ],
    'SESSION_NOT_FOUND.': ['message:1:session-known', 'control:unknown-session'],
    'SESSION_NOT_OPEN: terminal, suspended, or the time is up.': ['message:4:expiry', 'message:5:open'],
    'DUPLICATE_MESSAGE is reserved; duplicates are ok.': ['decision:duplicates:same'],
    'SESSION_ALREADY_EXISTS: a start on a used id.': ['start:11:known-id'],
    'INVALID_ENVELOPE: shape, payload, rules of the mode, TTL.': [
      'send:4:session-id-present',
      'start:4:payload-decodes',
      'start:5:ttl',
    ],
    'UNSUPPORTED_PROTOCOL_VERSION.': ['send:1:protocol-version', 'macp-2026:3.1:version'],
    'MODE_NOT_SUPPORTED.': ['start:3:mode-registered', 'message:6:mode-still-registered'],
    'PAYLOAD_TOO_LARGE.': ['send:5:payload-limit'],
    'RATE_LIMITED.': ['send:9:rate-limit', 'start:16:open-sessions'],
    'INVALID_SESSION_ID.': ['start:2:session-id'],
    'INTERNAL_ERROR: storage failed.': ['message:9:durable', 'start:17:durable'],
    'UNKNOWN_POLICY_VERSION: a start that names none, GetPolicy of an unknown id.': [
      'start:12:policy-known',
      'macp-2026:2:unknown-policy',
    ],
    'POLICY_DENIED: the rules of the policy say no.': ['commit:10:policy', 'mode:decision:7.5:all-reasons'],
    'INVALID_POLICY_DEFINITION: admission, or a policy of another mode.': [
      'macp-2026:2:definition-prefix',
      'start:13:policy-mode',
    ],
    'REGISTRY_READ_ONLY: policies come from files.': ['macp-2026:2:registry-read-only'],
    'INVALID_REQUEST: a request that is no envelope and malformed.': [
      'macp-2026:2:invalid-request',
      'macp-2026:15:candidate',
    ],
    'STREAM_LAGGED: a subscriber is too slow.': ['macp-2026:3.4:lagged', 'macp-2026:17.3:lagged'],
    'AGENT_NOT_FOUND: GetManifest for an agent of others.': ['macp-2026:2:agent-not-found'],
    'HISTORY_UNAVAILABLE: below what is kept.': {
      otherwise: 'It is never sent: the history of a session is kept whole as long as the session is.',
      by: ['decision:history:kept'],
    },
    'RECEIPT_UNAVAILABLE: no receipt can be made.': ['macp-2026:14.3:states'],
    'UNAUTHORIZED is never sent.': ['macp-2026:2:unauthorized'],
  }),
  ...section('2.1', {
    'Every status has the code in macp-error-code.': ['macp-2026:2:code-trailer'],
  }),
  ...section('2.2', {
    'macp-error-details-bin has the bytes of MACPError.details, for POLICY_DENIED.': [
      'macp-2026:2:details-trailer',
    ],
    'And for HISTORY_UNAVAILABLE, with lowest_available_sequence.': {
      otherwise: 'It is never sent.',
      by: ['decision:history:kept'],
    },
  }),
  ...section('2.3', {
    'Details hold reasons and denials; a denial has code, message and participants.': ['macp-2026:2:denials'],
    'Participants are sorted, each once, left out when there are none, and not in the message.': [
      'macp-2026:2.3:participants',
    ],
    'The same details are in an Ack, in an inline error of a stream and in the trailer.': [
      'macp-2026:2.3:inline',
    ],
    unspecified: ['macp-2026:2.3:unspecified'],
    veto: ['mode:decision:7.5:veto:deny'],
    veto_hold: ['mode:decision:7.5:veto:hold'],
    quorum_not_met: ['mode:decision:7.5:quorum:count'],
    threshold_not_met: ['mode:decision:7.5:majority'],
    confidence_below_minimum: ['mode:decision:7.5:evaluation:minimum'],
    evaluation_required: ['mode:decision:7.5:evaluation:required'],
    no_votes: ['mode:decision:7.5:no-votes:schema-3'],
    decline_over_approval: ['mode:decision:7.5:negative:over-approval'],
    decline_not_backed: ['mode:decision:7.5:negative:backed'],
    criterion_not_met: ['mode:proposal:8.4:criterion-not-met'],
    output_required: ['mode:task:9.3:commitment:output'],
    reassignment_not_allowed: ['mode:task:9.3:reject:policy'],
    unsupported_schema_version: ['commit:10:policy'],
    invalid_rules: ['macp-2026:6.7:denies'],
  }),
  ...section('2.4', {
    'An inadmissible definition is answered with the prefix, a taken id without.': [
      'macp-2026:2:definition-prefix',
    ],
  }),
  ...section('2.5', {
    'Send answers an Ack for every decision; without an envelope it is a status.': [
      'send:0:envelope-present',
    ],
    'Controls: an unknown session and a missing right are statuses, a wrong state is an Ack.': [
      'control:unknown-session',
      'control:authority',
      'control:suspend:only-open',
    ],
  }),
];
