import type { RequirementId } from './requirements.js';

/**
 * The shape of a conformance fixture: upstream's format with our extensions. FIXTURES.md says what a runner does with
 * it; fixture-shape.ts checks files against it.
 */
export type SessionStateName = 'Open' | 'Suspended' | 'Resolved' | 'Expired' | 'Cancelled';
export type Door = 'grpc' | 'http';
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export interface PolicyDescriptor {
  readonly policy_id: string;
  readonly mode: string;
  readonly description?: string;
  /** An object is sent as JSON text; a string is sent as it stands. */
  readonly rules: JsonObject | string;
  readonly schema_version: number;
}

export interface ModeDescriptor {
  readonly mode: string;
  readonly mode_version: string;
  readonly title?: string;
  readonly description?: string;
  readonly determinism_class?: string;
  readonly participant_model?: string;
  readonly message_types: readonly string[];
  readonly terminal_message_types: readonly string[];
}

export interface StaticToken {
  readonly token: string;
  readonly sender: string;
  readonly allowed_modes?: readonly string[];
  readonly can_start_sessions?: boolean;
  readonly max_open_sessions?: number;
  readonly can_manage_mode_registry?: boolean;
  readonly is_observer?: boolean;
}

/** Settings of the server under test; without `tokens` it runs in dev mode (a bearer is that agent). */
export interface ServerSettings {
  readonly tokens?: readonly StaticToken[];
  readonly session_start_limit_per_minute?: number;
  readonly message_limit_per_minute?: number;
  readonly max_payload_bytes?: number;
  readonly policies_directory?: readonly PolicyDescriptor[];
}

export interface EnvelopeOverrides {
  readonly macp_version?: string;
  readonly mode?: string;
  readonly message_type?: string;
  readonly message_id?: string;
  readonly session_id?: string;
  readonly sender?: string;
  readonly timestamp_unix_ms?: number;
  /** Relative to the runner's clock at the moment of sending. */
  readonly timestamp_offset_ms?: number;
  readonly payload_b64?: string;
}

export interface Expectation {
  readonly expect: 'accept' | 'reject' | 'duplicate';
  readonly expected_error_code?: string;
  /** A field that the text of the refusal names, where a code says too little. */
  readonly expected_error_names?: string;
}

export interface ExpectedAck {
  readonly session_state?: SessionStateName;
  /** Acceptance time in the Ack, minus the acceptance of the SessionStart. */
  readonly accepted_at_offset_ms?: number;
}

export interface ExpectedDenial {
  readonly code: string;
  readonly participants?: readonly string[];
}

export interface MessageStep extends Expectation {
  readonly sender: string;
  readonly message_type: string;
  readonly payload_type: string;
  readonly payload: JsonObject;
  readonly envelope?: EnvelopeOverrides;
  readonly credential?: string | null;
  readonly door?: Door;
  /** Of POLICY_DENIED: codes and who is named, in order. */
  readonly expected_denials?: readonly ExpectedDenial[];
  readonly expected_ack?: ExpectedAck;
}

export interface AdvanceStep {
  readonly advance_ms: number;
}

export interface ControlStep {
  readonly control: 'cancel' | 'suspend' | 'resume';
  readonly sender: string;
  readonly reason?: string;
  readonly session_id?: string;
  readonly credential?: string | null;
  readonly expect: 'accept' | 'reject';
  readonly expected_error_code?: string;
  readonly expected_grpc_status?: string;
  readonly expected_ack?: ExpectedAck;
}

export type RegisterKind =
  | 'policy'
  | 'unregister_policy'
  | 'ext_mode'
  | 'unregister_ext_mode'
  | 'promote_mode';

export interface RegisterStep {
  readonly register: {
    readonly kind: RegisterKind;
    readonly sender?: string;
    readonly credential?: string | null;
    /** Of the kinds `policy` and `ext_mode`; null sends a request without a descriptor. */
    readonly policy?: PolicyDescriptor | null;
    readonly mode_descriptor?: ModeDescriptor | null;
    readonly policy_id?: string;
    readonly mode?: string;
    readonly promoted_mode_name?: string;
    /** `ok`, `refused` (ok=false) or the name of a gRPC status. */
    readonly expect: string;
    readonly expected_error_contains?: string;
  };
}

export interface GetStep {
  readonly get: {
    readonly sender: string;
    readonly credential?: string | null;
    readonly session_id?: string;
    readonly expect_state?: SessionStateName;
    readonly expected_grpc_status?: string;
    /** Compared field by field with the SessionMetadata, only the fields given. */
    readonly expected_metadata?: JsonObject;
    /** Message count per participant; one not listed by the server counts 0. */
    readonly expected_message_counts?: { readonly [participant: string]: number };
  };
}

export interface FaultStep {
  /**
   * `not_stored`: the next append fails without being stored. `queue_full`: the next request finds the queue full.
   * `restart`: stop the server and start it again on the same data.
   */
  readonly fault: 'not_stored' | 'queue_full' | 'restart';
}

export type Step = MessageStep | AdvanceStep | ControlStep | RegisterStep | GetStep | FaultStep;

export interface StartOverrides {
  readonly expect?: 'accept' | 'reject';
  readonly expected_error_code?: string;
  readonly expected_error_names?: string;
  readonly envelope?: EnvelopeOverrides;
  readonly payload?: JsonObject;
  readonly session_id?: string;
  readonly credential?: string | null;
  readonly door?: Door;
}

export interface HistoryEntry {
  readonly message_type: string;
  readonly message_id?: string;
  readonly sender?: string;
  /** Envelope timestamp minus the acceptance of the SessionStart. */
  readonly timestamp_offset_ms?: number;
  /** Compared field by field, only the fields given. */
  readonly payload?: JsonObject;
}

export interface Fixture {
  readonly verifies: readonly RequirementId[];
  readonly description: string;
  readonly mode: string;
  readonly initiator: string;
  readonly participants: readonly string[];
  readonly mode_version: string;
  readonly configuration_version: string;
  readonly policy_version: string;
  readonly ttl_ms: number;
  readonly policy?: PolicyDescriptor;
  readonly server?: ServerSettings;
  readonly setup?: readonly Step[];
  readonly start?: StartOverrides;
  readonly messages: readonly Step[];
  readonly expected_final_state: SessionStateName | null;
  readonly expect_resolution_present?: boolean;
  readonly expected_resolution?: JsonObject;
  readonly expected_mode_state?: {
    readonly offers: { readonly [id: string]: { readonly disposition: 'Offered' | 'Accepted' | 'Declined' } };
  };
  readonly expected_history?: readonly (string | HistoryEntry)[];
  readonly expected_deadline_offset_ms?: number;
  readonly verify_replay_equivalence?: boolean;
}

export interface NamedFixture {
  /** `<area>/<name>`, without suffix. */
  readonly name: string;
  readonly fixture: Fixture;
}
