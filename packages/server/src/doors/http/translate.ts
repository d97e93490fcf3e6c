/**
 * The answers of the runtime as JSON (docs/spec/macp.md 7.1): `*_unix_ms` integers, enums by their full names, bytes as
 * base64.
 */
import type { Codec, JsonObject, SessionMetadata } from '@handover/core';
import type { Ack, AckError } from '@handover/wire';
import type { TransportEndpoint } from '../../services/dependencies.js';
import type { RuntimeManifest } from '../../services/macp/discovery.js';

export const stateName = (state: string): string => `SESSION_STATE_${state}`;

export function errorToJson(error: AckError, codec: Codec): JsonObject {
  return {
    code: error.code,
    message: error.message,
    session_id: error.sessionId,
    message_id: error.messageId,
    details: codec.toBase64(error.details),
  };
}

/** `error` is left out when there is none: this is how JSON shows that a message is absent. */
export function ackToJson(ack: Ack, codec: Codec): JsonObject {
  return {
    ok: ack.ok,
    duplicate: ack.duplicate,
    message_id: ack.messageId,
    session_id: ack.sessionId,
    accepted_at_unix_ms: ack.acceptedAtUnixMs,
    session_state: stateName(ack.sessionState),
    ...(ack.error && { error: errorToJson(ack.error, codec) }),
  };
}

export function metadataToJson(session: SessionMetadata): JsonObject {
  return {
    session_id: session.sessionId,
    mode: session.mode,
    state: stateName(session.state),
    started_at_unix_ms: session.startedAtUnixMs,
    expires_at_unix_ms: session.expiresAtUnixMs,
    mode_version: session.modeVersion,
    configuration_version: session.configurationVersion,
    policy_version: session.policyVersion,
    participants: session.participants,
    participant_activity: session.participantActivity.map(({ participant, lastMessageAt, messages }) => ({
      participant_id: participant,
      last_message_at_unix_ms: lastMessageAt,
      message_count: messages,
    })),
    initiator: session.initiator,
    context_id: session.contextId,
    extension_keys: session.extensionKeys,
  };
}

export const ENVELOPE_JSON = 'application/macp-envelope+json';

/** Over HTTP envelopes travel as JSON, too. */
export function manifestToJson(
  manifest: RuntimeManifest,
  endpoints: readonly TransportEndpoint[],
): JsonObject {
  return {
    agent_id: manifest.agentId,
    title: manifest.title,
    description: manifest.description,
    supported_modes: manifest.supportedModes,
    input_content_types: [...manifest.inputContentTypes, ENVELOPE_JSON],
    output_content_types: [...manifest.outputContentTypes, ENVELOPE_JSON],
    metadata: {},
    transport_endpoints: endpoints.map(({ transport, uri, contentTypes }) => ({
      transport,
      uri,
      content_types: contentTypes,
      metadata: {},
    })),
  };
}
