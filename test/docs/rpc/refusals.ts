/** Why each call is refused beside what can happen to every call, and a request that is refused for it. */
import type { MethodKey } from '@handover/wire';
import type { MacpCode } from './codes.js';
import { type Caller, commitBody, envelopeBody, freshId, type Sessions, startBody } from './world.js';

export interface CallRefusal {
  readonly code: MacpCode;
  readonly when: string;
  /** Inside the answer (an Ack, or a frame of the stream) and not in place of it. `grpc`: only there. */
  readonly inBand?: true | 'grpc';
  /** Somebody asks this; undefined: only a server with other settings refuses so. */
  readonly asked?: (sessions: Sessions) => readonly [Caller, object];
}

const NO_SESSION = 'no such session';
const notFound: CallRefusal = {
  code: 'SESSION_NOT_FOUND',
  when: NO_SESSION,
  asked: ({ unknown }) => ['initiator', { session_id: unknown }],
};
const notReader: CallRefusal = {
  code: 'FORBIDDEN',
  when: 'the caller is neither in the session nor an observer',
  asked: ({ open }) => ['outsider', { session_id: open }],
};
const notManager = (body: object = {}): CallRefusal => ({
  code: 'FORBIDDEN',
  when: 'the credential has no `can_manage_mode_registry`',
  asked: () => ['initiator', body],
});
const readOnly: CallRefusal = {
  code: 'REGISTRY_READ_ONLY',
  when: 'the policies come from files (`MACP_POLICIES_DIR`)',
};
const control: readonly CallRefusal[] = [
  notFound,
  {
    code: 'FORBIDDEN',
    when: 'the caller is neither the initiator nor somebody who may commit',
    asked: ({ open }) => ['participant', { session_id: open }],
  },
  {
    code: 'INVALID_ENVELOPE',
    when: '`reason` is longer than 4,096 characters',
    inBand: true,
    asked: ({ open }) => ['initiator', { session_id: open, reason: 'x'.repeat(4_097) }],
  },
];
const wrongState = (when: string, state: 'resolved' | 'open'): CallRefusal => ({
  code: 'SESSION_NOT_OPEN',
  when,
  inBand: true,
  asked: (sessions) => ['initiator', { session_id: sessions[state] }],
});

const sent = (
  code: MacpCode,
  when: string,
  asked: (sessions: Sessions) => readonly [Caller, object],
): CallRefusal => ({ code, when, inBand: true, asked });

const QUORUM = 'macp.mode.quorum.v1';

const send: readonly CallRefusal[] = [
  sent('UNSUPPORTED_PROTOCOL_VERSION', '`macp_version` is not 1.0', () => [
    'initiator',
    startBody(freshId(), { macp_version: '2.0' }),
  ]),
  sent(
    'INVALID_ENVELOPE',
    'the envelope or its payload cannot be read or does not fit together, or the rules of the mode do not take it now',
    ({ open }) => [
      'initiator',
      envelopeBody({ mode: QUORUM, message_type: 'ApprovalRequest', session_id: open }),
    ],
  ),
  sent('PAYLOAD_TOO_LARGE', 'the payload has more than `MACP_MAX_PAYLOAD_BYTES`', () => [
    'initiator',
    envelopeBody({
      mode: QUORUM,
      message_type: 'SessionStart',
      session_id: freshId(),
      payload: undefined,
      payload_b64: Buffer.alloc(2_000).toString('base64'),
    }),
  ]),
  sent(
    'UNAUTHENTICATED',
    '`sender` is not the agent of the credential; over gRPC also without a good credential',
    () => ['initiator', startBody(freshId(), { sender: 'participant' })],
  ),
  sent(
    'FORBIDDEN',
    'the sender is not in the session, or it is not for the sender to say this; the credential may not start sessions, or not use this mode',
    ({ open }) => ['outsider', envelopeBody({ mode: QUORUM, message_type: 'Approve', session_id: open })],
  ),
  sent(
    'RATE_LIMITED',
    'the sender has said too much in the last minute, has too many sessions open, or has used up its bytes',
    () => ['full', startBody(freshId())],
  ),
  sent('INVALID_SESSION_ID', 'the id of a new session has not the form that it must have', () => [
    'initiator',
    startBody('short'),
  ]),
  sent('MODE_NOT_SUPPORTED', 'the mode is not served, or no longer', () => [
    'initiator',
    startBody(freshId(), { mode: 'ext.none' }),
  ]),
  sent('SESSION_ALREADY_EXISTS', 'a SessionStart names a session that there is', ({ open }) => [
    'initiator',
    startBody(open),
  ]),
  sent('UNKNOWN_POLICY_VERSION', 'a SessionStart names a policy that is not registered', () => [
    'initiator',
    startBody(freshId(), {}, { policy_version: 'policy.none' }),
  ]),
  sent('INVALID_POLICY_DEFINITION', 'the policy that a SessionStart names is for another mode', () => [
    'initiator',
    startBody(freshId(), {}, { policy_version: 'policy.std.majority' }),
  ]),
  sent('SESSION_NOT_FOUND', NO_SESSION, ({ unknown }) => [
    'initiator',
    envelopeBody({ mode: QUORUM, message_type: 'Approve', session_id: unknown }),
  ]),
  sent('SESSION_NOT_OPEN', 'the session is suspended or over', ({ resolved }) => [
    'initiator',
    envelopeBody({ mode: QUORUM, message_type: 'Approve', session_id: resolved }),
  ]),
  sent(
    'POLICY_DENIED',
    'the policy of the session says no; its reasons are in the details ([reading a denial](../guide/policies.md#reading-a-denial))',
    ({ denied }) => ['initiator', commitBody(denied, 'macp.mode.decision.v1', { outcome_positive: true })],
  ),
];

export const CALL_REFUSALS: Readonly<Record<MethodKey, readonly CallRefusal[]>> = {
  initialize: [
    {
      code: 'INVALID_REQUEST',
      when: '`supported_protocol_versions` is empty',
      asked: () => ['nobody', {}],
    },
    {
      code: 'UNSUPPORTED_PROTOCOL_VERSION',
      when: '1.0 is not among them',
      asked: () => ['nobody', { supported_protocol_versions: ['2.0'] }],
    },
  ],
  send,
  streamSession: [
    {
      ...notFound,
      asked: ({ unknown }) => ['initiator', { subscribe_session_id: unknown }],
    },
    {
      ...notReader,
      inBand: 'grpc',
      asked: ({ open }) => ['outsider', { subscribe_session_id: open }],
    },
  ],
  getSession: [notFound, notReader],
  cancelSession: control,
  suspendSession: [...control, wrongState('the session is not open', 'resolved')],
  resumeSession: [...control, wrongState('the session is not suspended', 'open')],
  getManifest: [
    {
      code: 'AGENT_NOT_FOUND',
      when: '`agent_id` is neither empty nor `handover`',
      asked: () => ['nobody', { agent_id: 'somebody' }],
    },
  ],
  listModes: [],
  watchModeRegistry: [],
  listRoots: [],
  watchRoots: [],
  listExtModes: [],
  registerExtMode: [
    notManager(),
    { code: 'INVALID_REQUEST', when: '`mode_descriptor` is missing', asked: () => ['manager', {}] },
  ],
  unregisterExtMode: [notManager({ mode: 'ext.none' })],
  promoteMode: [notManager({ mode: 'ext.none' })],
  watchSignals: [],
  listSessions: [
    {
      code: 'INVALID_REQUEST',
      when: '`page_size` is negative, or `page_token` is none that this server gave',
      asked: () => ['initiator', { page_size: -1 }],
    },
  ],
  watchSessions: [],
  registerPolicy: [
    notManager(),
    { code: 'INVALID_REQUEST', when: '`policy_descriptor` is missing', asked: () => ['manager', {}] },
    readOnly,
  ],
  unregisterPolicy: [notManager({ policy_id: 'policy.none' }), readOnly],
  getPolicy: [
    {
      code: 'UNKNOWN_POLICY_VERSION',
      when: 'no such policy',
      asked: () => ['outsider', { policy_id: 'policy.none' }],
    },
  ],
  listPolicies: [],
  watchPolicies: [],
  whatIfReplay: [
    notFound,
    notReader,
    {
      code: 'INVALID_REQUEST',
      when: '`candidate` is missing',
      asked: ({ open }) => ['initiator', { session_id: open }],
    },
    {
      code: 'INVALID_POLICY_DEFINITION',
      when: 'the candidate could not be registered, or is for another mode',
      asked: ({ open }) => [
        'initiator',
        { session_id: open, candidate: { mode: 'macp.mode.task.v1', schema_version: 1, rules: {} } },
      ],
    },
  ],
  getDecisionReceipt: [
    notFound,
    notReader,
    {
      code: 'RECEIPT_UNAVAILABLE',
      when: 'the session is not resolved, or its mode is an extension',
      asked: ({ open }) => ['participant', { session_id: open }],
    },
  ],
  getReceiptKeys: [],
};
