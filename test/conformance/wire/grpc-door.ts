import {
  type Ack,
  decodeAckResponse,
  encodeMessage,
  encodeSendRequest,
  methods,
  type pb,
  SESSION_STATES,
} from '@handover/wire';
import { GrpcClient } from '../../kit/grpc-client.js';
import { isRefused, refusedBy } from '../../kit/refused.js';
import { encodePayload } from '../encode-payload.js';
import { denialsIn } from './denials.js';
import type { Door, DoorAck, Metadata } from './door.js';

const METHODS = { cancel: 'cancelSession', suspend: 'suspendSession', resume: 'resumeSession' } as const;

export function createGrpcDoor(address: string): Door {
  const client = new GrpcClient(address);
  return {
    async send({ head, payload }, bearer) {
      const bytes =
        'bytes' in payload ? payload.bytes : encodePayload(payload.type, payload.fields, head.mode);
      return ackOf(await client.raw('send', encodeSendRequest({ ...head, payload: bytes }), bearer));
    },
    async control(control, sessionId, reason, bearer) {
      const key = METHODS[control];
      try {
        // The three requests have one shape.
        const request = encodeMessage(methods.cancelSession.input, { sessionId, reason });
        return ackOf(await client.raw(key, request, bearer));
      } catch (error) {
        return refusedBy(error);
      }
    },
    async get(sessionId, bearer) {
      const answer = await client.ask('getSession', { sessionId }, bearer);
      if (isRefused(answer)) return answer;
      if (!answer.metadata) throw new Error('GetSession answered without metadata');
      return metadataOf(answer.metadata);
    },
    history: (sessionId, bearer) => client.history(sessionId, bearer).catch(refusedBy),
    close: () => client.close(),
  };
}

function ackOf(bytes: Uint8Array): DoorAck {
  const ack: Ack | undefined = decodeAckResponse(bytes);
  if (!ack) throw new Error('the answer holds no Ack');
  const {
    ok,
    duplicate,
    messageId,
    sessionId,
    acceptedAtUnixMs: acceptedAt,
    sessionState: state,
    error,
  } = ack;
  const denials = denialsIn(error?.details);
  return {
    ok,
    duplicate,
    messageId,
    sessionId,
    acceptedAt,
    state,
    code: error?.code ?? '',
    message: error?.message ?? '',
    denials,
  };
}

function metadataOf(metadata: pb.SessionMetadata): Metadata {
  return {
    session_id: metadata.sessionId,
    mode: metadata.mode,
    state: `SESSION_STATE_${SESSION_STATES[metadata.state]}`,
    started_at_unix_ms: Number(metadata.startedAtUnixMs),
    expires_at_unix_ms: Number(metadata.expiresAtUnixMs),
    mode_version: metadata.modeVersion,
    configuration_version: metadata.configurationVersion,
    policy_version: metadata.policyVersion,
    participants: metadata.participants,
    participant_activity: metadata.participantActivity.map((activity) => ({
      participant_id: activity.participantId,
      last_message_at_unix_ms: Number(activity.lastMessageAtUnixMs),
      message_count: activity.messageCount,
    })),
    initiator: metadata.initiator,
    context_id: metadata.contextId,
    extension_keys: metadata.extensionKeys,
  };
}
