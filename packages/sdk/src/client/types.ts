/** What the runtime tells about itself and its sessions: milliseconds are numbers, enums are strings. */
import type { ModeDescriptor, Root } from '@handover/core';
import type { SessionStateName } from '@handover/wire';
import type { DecisionReceipt, TrustedReceiptKey } from '../receipts/verify-receipt.js';

/** How active one participant of a session has been. */
export interface ParticipantActivity {
  readonly participantId: string;
  readonly lastMessageAtUnixMs: number;
  readonly messageCount: number;
}

/** A session as lists and `getSession` show it. */
export interface SessionMetadata {
  readonly sessionId: string;
  readonly mode: string;
  readonly state: SessionStateName;
  readonly startedAtUnixMs: number;
  readonly expiresAtUnixMs: number;
  readonly modeVersion: string;
  readonly configurationVersion: string;
  readonly policyVersion: string;
  readonly participants: readonly string[];
  /** Filled by `getSession` only. */
  readonly participantActivity: readonly ParticipantActivity[];
  readonly initiator: string;
  readonly contextId: string;
  readonly extensionKeys: readonly string[];
}

/** The kinds of lifecycle events. */
export const LIFECYCLE_EVENT_TYPES = [
  'UNSPECIFIED',
  'CREATED',
  'RESOLVED',
  'EXPIRED',
  'SUSPENDED',
  'RESUMED',
  'CANCELLED',
] as const;
/** One of `LIFECYCLE_EVENT_TYPES`. */
export type LifecycleEventType = (typeof LIFECYCLE_EVENT_TYPES)[number];

/** Something happened to a session. */
export interface SessionLifecycleEvent {
  readonly eventType: LifecycleEventType;
  readonly session: SessionMetadata;
  readonly observedAtUnixMs: number;
}

/** A governance policy; `rules` is JSON text. */
export interface PolicyDescriptor {
  readonly policyId: string;
  /** The mode it governs, or `*`. */
  readonly mode: string;
  readonly description: string;
  readonly rules: string;
  readonly schemaVersion: number;
  /** Set by the runtime. */
  readonly registeredAtUnixMs?: number;
}

/** All policies after a change. */
export interface PoliciesChanged {
  readonly descriptors: readonly PolicyDescriptor[];
  readonly observedAtUnixMs: number;
}

/** A hint that a registry changed; read it again. */
export interface RegistryChanged {
  readonly registry: string;
  readonly observedAtUnixMs: number;
}

/** A hint that the roots changed; read them again. */
export interface RootsChanged {
  readonly observedAtUnixMs: number;
}

/** What an agent, or the runtime itself, says it can do. */
export interface AgentManifest {
  readonly agentId: string;
  readonly title: string;
  readonly description: string;
  readonly supportedModes: readonly string[];
  readonly inputContentTypes: readonly string[];
  readonly outputContentTypes: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly transportEndpoints: readonly TransportEndpoint[];
}

/** Where an agent can be reached. */
export interface TransportEndpoint {
  readonly transport: string;
  readonly uri: string;
  readonly contentTypes: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
}

/** Which program is at the other end. */
export interface RuntimeInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly websiteUrl: string;
}

/** What the runtime offers. */
export interface RuntimeCapabilities {
  readonly sessions: {
    readonly stream: boolean;
    readonly listSessions: boolean;
    readonly watchSessions: boolean;
  };
  readonly cancelSession: boolean;
  readonly progress: boolean;
  readonly getManifest: boolean;
  readonly modeRegistry: { readonly listModes: boolean; readonly listChanged: boolean };
  readonly roots: { readonly listRoots: boolean; readonly listChanged: boolean };
  readonly policyRegistry: {
    readonly registerPolicy: boolean;
    readonly listPolicies: boolean;
    readonly listChanged: boolean;
    /** Keys of rules that only some runtimes know, and that this one does. */
    readonly ruleExtensions: readonly string[];
    readonly whatIfReplay: boolean;
  };
  readonly decisionReceipt: { readonly getDecisionReceipt: boolean; readonly signed: boolean };
  readonly experimental: Readonly<Record<string, string>>;
}

/** A decision receipt, parsed and as it came. */
export interface ReceiptText {
  /** Keep this one: the signature is over it. */
  readonly text: string;
  readonly receipt: DecisionReceipt;
}

/** The keys of a runtime, read and as they came. */
export interface ReceiptKeys {
  /** A JSON Web Key Set. */
  readonly text: string;
  readonly keys: readonly TrustedReceiptKey[];
}

/** The answer to `initialize`. */
export interface InitializeResult {
  readonly selectedProtocolVersion: string;
  readonly runtimeInfo: RuntimeInfo;
  readonly capabilities: RuntimeCapabilities;
  readonly supportedModes: readonly string[];
  readonly instructions: string;
}

/** The answer to a change of a registry; `error` is empty when `ok`. */
export interface RegistryResult {
  readonly ok: boolean;
  readonly error: string;
}

/** One page of sessions; an empty `nextPageToken` is the last. */
export interface SessionsPage {
  readonly sessions: readonly SessionMetadata[];
  readonly nextPageToken: string;
}

export type { ModeDescriptor, Root };
