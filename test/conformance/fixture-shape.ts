import { RejectionCode } from '@handover/core';
import { requirements } from './requirements.js';
import {
  arrayOf,
  boolean,
  type Check,
  either,
  integer,
  isObject,
  jsonObject,
  mapOf,
  nullable,
  object,
  oneOf,
  ShapeError,
  string,
} from './shape.js';

const STATUSES = [
  'UNAUTHENTICATED',
  'PERMISSION_DENIED',
  'NOT_FOUND',
  'INVALID_ARGUMENT',
  'FAILED_PRECONDITION',
];
const state = oneOf('Open', 'Suspended', 'Resolved', 'Expired', 'Cancelled');
const errorCode = oneOf(...Object.values(RejectionCode));
const grpcStatus = oneOf(...STATUSES);
const door = oneOf('grpc', 'http');

const policy = object(
  { policy_id: string, mode: string, rules: either(string, jsonObject), schema_version: integer },
  { description: string },
);

const modeDescriptor = object(
  {
    mode: string,
    mode_version: string,
    message_types: arrayOf(string),
    terminal_message_types: arrayOf(string),
  },
  { title: string, description: string, determinism_class: string, participant_model: string },
);

const token = object(
  { token: string, sender: string },
  {
    allowed_modes: arrayOf(string),
    can_start_sessions: boolean,
    max_open_sessions: integer,
    can_manage_mode_registry: boolean,
    is_observer: boolean,
  },
);

const server = object(
  {},
  {
    tokens: arrayOf(token),
    session_start_limit_per_minute: integer,
    message_limit_per_minute: integer,
    max_payload_bytes: integer,
    policies_directory: arrayOf(policy),
  },
);

const envelope = object(
  {},
  {
    macp_version: string,
    mode: string,
    message_type: string,
    message_id: string,
    session_id: string,
    sender: string,
    timestamp_unix_ms: integer,
    timestamp_offset_ms: integer,
    payload_b64: string,
  },
);

const expectedAck = object({}, { session_state: state, accepted_at_offset_ms: integer });

const message = object(
  {
    sender: string,
    message_type: string,
    payload_type: string,
    payload: jsonObject,
    expect: oneOf('accept', 'reject', 'duplicate'),
  },
  {
    expected_error_code: errorCode,
    expected_error_names: string,
    expected_denials: arrayOf(object({ code: string }, { participants: arrayOf(string) })),
    expected_ack: expectedAck,
    envelope,
    credential: nullable(string),
    door,
  },
);

const control = object(
  { control: oneOf('cancel', 'suspend', 'resume'), sender: string, expect: oneOf('accept', 'reject') },
  {
    reason: string,
    session_id: string,
    credential: nullable(string),
    expected_error_code: errorCode,
    expected_grpc_status: grpcStatus,
    expected_ack: expectedAck,
  },
);

const register = object({
  register: object(
    {
      kind: oneOf('policy', 'unregister_policy', 'ext_mode', 'unregister_ext_mode', 'promote_mode'),
      expect: oneOf('ok', 'refused', ...STATUSES),
    },
    {
      sender: string,
      credential: nullable(string),
      policy: nullable(policy),
      mode_descriptor: nullable(modeDescriptor),
      policy_id: string,
      mode: string,
      promoted_mode_name: string,
      expected_error_contains: string,
    },
  ),
});

const get = object({
  get: object(
    { sender: string },
    {
      credential: nullable(string),
      session_id: string,
      expect_state: state,
      expected_grpc_status: grpcStatus,
      expected_metadata: jsonObject,
      expected_message_counts: mapOf(integer),
    },
  ),
});

const stepShapes: readonly (readonly [key: string, check: Check])[] = [
  ['message_type', message],
  ['advance_ms', object({ advance_ms: integer })],
  ['control', control],
  ['register', register],
  ['get', get],
  ['fault', object({ fault: oneOf('not_stored', 'queue_full', 'restart') })],
];

/** A refusal without the code it must carry would pass for the wrong reason. */
function refusalNamesItsCode(value: Record<string, unknown>, path: string): void {
  const named = 'expected_error_code' in value || 'expected_grpc_status' in value;
  if (value.expect === 'reject' && !named) throw new ShapeError(`${path}: a reject names its expected code`);
  if (value.expect !== 'reject' && named) throw new ShapeError(`${path}: only a reject has an expected code`);
}

const step: Check = (value, path) => {
  const shape = isObject(value) ? stepShapes.find(([key]) => key in value)?.[1] : undefined;
  if (!isObject(value) || shape === undefined) throw new ShapeError(`${path}: is not a known kind of step`);
  shape(value, path);
  refusalNamesItsCode(value, path);
};

const start: Check = (value, path) => {
  object(
    {},
    {
      expect: oneOf('accept', 'reject'),
      expected_error_code: errorCode,
      expected_error_names: string,
      envelope,
      payload: jsonObject,
      session_id: string,
      credential: nullable(string),
      door,
    },
  )(value, path);
  if (isObject(value)) refusalNamesItsCode(value, path);
};

const historyEntry = object(
  { message_type: string },
  { message_id: string, sender: string, timestamp_offset_ms: integer, payload: jsonObject },
);

export const fixtureShape = object(
  {
    verifies: arrayOf(oneOf(...requirements.map((row) => row.id))),
    description: string,
    mode: string,
    initiator: string,
    participants: arrayOf(string),
    mode_version: string,
    configuration_version: string,
    policy_version: string,
    ttl_ms: integer,
    messages: arrayOf(step),
    expected_final_state: nullable(state),
  },
  {
    policy,
    server,
    setup: arrayOf(step),
    start,
    expect_resolution_present: boolean,
    expected_resolution: jsonObject,
    expected_mode_state: object({
      offers: mapOf(object({ disposition: oneOf('Offered', 'Accepted', 'Declined') })),
    }),
    expected_history: arrayOf(either(string, historyEntry)),
    expected_deadline_offset_ms: integer,
    verify_replay_equivalence: boolean,
  },
);
