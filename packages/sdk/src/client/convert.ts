/** From generated messages to this package's types: bigint becomes number, enum numbers become names. */
import { type pb, SESSION_STATES, type SessionStateName } from '@handover/wire';
import {
  type AgentManifest,
  type InitializeResult,
  LIFECYCLE_EVENT_TYPES,
  type ModeDescriptor,
  type PolicyDescriptor,
  type RuntimeCapabilities,
  type SessionLifecycleEvent,
  type SessionMetadata,
} from './types.js';

export function toMetadata(session: pb.SessionMetadata): SessionMetadata {
  const { sessionId, mode, modeVersion, configurationVersion, policyVersion } = session;
  const { participants, initiator, contextId, extensionKeys } = session;
  return {
    sessionId,
    mode,
    state: stateName(session.state),
    startedAtUnixMs: Number(session.startedAtUnixMs),
    expiresAtUnixMs: Number(session.expiresAtUnixMs),
    modeVersion,
    configurationVersion,
    policyVersion,
    participants,
    participantActivity: session.participantActivity.map(
      ({ participantId, lastMessageAtUnixMs, messageCount }) => ({
        participantId,
        lastMessageAtUnixMs: Number(lastMessageAtUnixMs),
        messageCount,
      }),
    ),
    initiator,
    contextId,
    extensionKeys,
  };
}

const stateName = (state: number): SessionStateName => SESSION_STATES[state] ?? 'UNSPECIFIED';

export function toLifecycleEvent(event: pb.SessionLifecycleEvent): SessionLifecycleEvent | undefined {
  if (!event.session) return undefined;
  return {
    eventType: LIFECYCLE_EVENT_TYPES[event.eventType] ?? 'UNSPECIFIED',
    session: toMetadata(event.session),
    observedAtUnixMs: Number(event.observedAtUnixMs),
  };
}

export function toPolicy(policy: pb.PolicyDescriptor): PolicyDescriptor {
  const { policyId, mode, description, rules, schemaVersion } = policy;
  const registeredAtUnixMs = Number(policy.registeredAtUnixMs);
  return { policyId, mode, description, rules, schemaVersion, registeredAtUnixMs };
}

export function toMode(descriptor: pb.ModeDescriptor): ModeDescriptor {
  const { mode, modeVersion, title, description, determinismClass, participantModel } = descriptor;
  const { messageTypes, terminalMessageTypes, schemaUris } = descriptor;
  return {
    mode,
    modeVersion,
    title,
    description,
    determinismClass,
    participantModel,
    messageTypes,
    terminalMessageTypes,
    schemaUris,
  };
}

export function toManifest(manifest: pb.AgentManifest): AgentManifest {
  const { agentId, title, description, supportedModes, inputContentTypes, outputContentTypes, metadata } =
    manifest;
  const transportEndpoints = manifest.transportEndpoints.map(
    ({ transport, uri, contentTypes, metadata }) => ({
      transport,
      uri,
      contentTypes,
      metadata,
    }),
  );
  return {
    agentId,
    title,
    description,
    supportedModes,
    inputContentTypes,
    outputContentTypes,
    metadata,
    transportEndpoints,
  };
}

export function toInitializeResult(response: pb.InitializeResponse): InitializeResult {
  const { selectedProtocolVersion, supportedModes, instructions, runtimeInfo: info } = response;
  return {
    selectedProtocolVersion,
    runtimeInfo: {
      name: info?.name ?? '',
      title: info?.title ?? '',
      version: info?.version ?? '',
      description: info?.description ?? '',
      websiteUrl: info?.websiteUrl ?? '',
    },
    capabilities: toCapabilities(response.capabilities),
    supportedModes,
    instructions,
  };
}

function toCapabilities(capabilities: pb.Capabilities | undefined): RuntimeCapabilities {
  const { sessions, modeRegistry, roots, policyRegistry, decisionReceipt } = capabilities ?? {};
  return {
    sessions: {
      stream: sessions?.stream ?? false,
      listSessions: sessions?.listSessions ?? false,
      watchSessions: sessions?.watchSessions ?? false,
    },
    cancelSession: capabilities?.cancellation?.cancelSession ?? false,
    progress: capabilities?.progress?.progress ?? false,
    getManifest: capabilities?.manifest?.getManifest ?? false,
    modeRegistry: {
      listModes: modeRegistry?.listModes ?? false,
      listChanged: modeRegistry?.listChanged ?? false,
    },
    roots: { listRoots: roots?.listRoots ?? false, listChanged: roots?.listChanged ?? false },
    policyRegistry: {
      registerPolicy: policyRegistry?.registerPolicy ?? false,
      listPolicies: policyRegistry?.listPolicies ?? false,
      listChanged: policyRegistry?.listChanged ?? false,
      ruleExtensions: policyRegistry?.ruleExtensions ?? [],
      whatIfReplay: policyRegistry?.whatIfReplay ?? false,
    },
    decisionReceipt: {
      getDecisionReceipt: decisionReceipt?.getDecisionReceipt ?? false,
      signed: decisionReceipt?.signed ?? false,
    },
    experimental: capabilities?.experimental?.features ?? {},
  };
}
