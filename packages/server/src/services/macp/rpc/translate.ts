/** Core's values as the fields of generated messages: milliseconds become bigint, names become numbers. */
import {
  canonicalJson,
  type ModeDescriptor,
  type PolicyDescriptor,
  type SessionMetadata,
} from '@handover/core';
import {
  encodeMessage,
  type MessageInitShape,
  type MessageShape,
  methods,
  pb,
  SESSION_STATES,
} from '@handover/wire';
import type { TransportEndpoint } from '../../dependencies.js';
import { LifecycleEvent, type SessionLifecycle } from '../session-watch.js';

const EVENT_TYPES: Readonly<Record<LifecycleEvent, pb.SessionLifecycleEvent_EventType>> = {
  [LifecycleEvent.Created]: pb.SessionLifecycleEvent_EventType.CREATED,
  [LifecycleEvent.Resolved]: pb.SessionLifecycleEvent_EventType.RESOLVED,
  [LifecycleEvent.Expired]: pb.SessionLifecycleEvent_EventType.EXPIRED,
  [LifecycleEvent.Suspended]: pb.SessionLifecycleEvent_EventType.SUSPENDED,
  [LifecycleEvent.Resumed]: pb.SessionLifecycleEvent_EventType.RESUMED,
  [LifecycleEvent.Cancelled]: pb.SessionLifecycleEvent_EventType.CANCELLED,
};
export const STATES: ReadonlyMap<string, pb.SessionState> = new Map(
  SESSION_STATES.map((name) => [name, pb.SessionState[name]]),
);

export function toSessionMetadata(
  session: SessionMetadata,
): MessageInitShape<typeof pb.SessionMetadataSchema> {
  return {
    ...session,
    state: STATES.get(session.state) ?? pb.SessionState.UNSPECIFIED,
    startedAtUnixMs: BigInt(session.startedAtUnixMs),
    expiresAtUnixMs: BigInt(session.expiresAtUnixMs),
    participants: [...session.participants],
    participantActivity: session.participantActivity.map(({ participant, lastMessageAt, messages }) => ({
      participantId: participant,
      lastMessageAtUnixMs: BigInt(lastMessageAt),
      messageCount: messages,
    })),
    extensionKeys: [...session.extensionKeys],
  };
}

export function toLifecycleEvent({
  event,
  session,
  observedAtUnixMs,
}: SessionLifecycle): MessageInitShape<typeof pb.SessionLifecycleEventSchema> {
  return {
    eventType: EVENT_TYPES[event],
    session: toSessionMetadata(session),
    observedAtUnixMs: BigInt(observedAtUnixMs),
  };
}

export function toPolicyDescriptor(
  policy: PolicyDescriptor,
): MessageInitShape<typeof pb.PolicyDescriptorSchema> {
  const { rules, registeredAtUnixMs, ...rest } = policy;
  return { ...rest, rules: canonicalJson(rules), registeredAtUnixMs: BigInt(registeredAtUnixMs) };
}

const inLists = new WeakMap<PolicyDescriptor, Uint8Array>();

/** A policy as the one item of a list, in answers and in watches. It is one value while it is registered, so it is written once. */
export function policyInList(policy: PolicyDescriptor): Uint8Array {
  const known =
    inLists.get(policy) ??
    encodeMessage(methods.listPolicies.output, { descriptors: [toPolicyDescriptor(policy)] });
  inLists.set(policy, known);
  return known;
}

export function toModeDescriptor(mode: ModeDescriptor): MessageInitShape<typeof pb.ModeDescriptorSchema> {
  return {
    ...mode,
    messageTypes: [...mode.messageTypes],
    terminalMessageTypes: [...mode.terminalMessageTypes],
    schemaUris: { ...mode.schemaUris },
  };
}

export function fromModeDescriptor(descriptor: MessageShape<typeof pb.ModeDescriptorSchema>): ModeDescriptor {
  const { $typeName: _, $unknown: __, ...mode } = descriptor;
  return mode;
}

export function toTransportEndpoint({
  contentTypes,
  ...place
}: TransportEndpoint): MessageInitShape<typeof pb.TransportEndpointSchema> {
  return { ...place, contentTypes: [...contentTypes] };
}
