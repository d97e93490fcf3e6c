/** What the runtime tells about itself and its sessions: milliseconds are numbers, enums are strings. */
import type { ModeDescriptor, Root } from '@handover/core';
import type { SessionStateName } from '@handover/wire';
import type { DecisionReceipt, TrustedReceiptKey } from '../receipts/verify-receipt.js';

/** How active one participant of a session has been. */
export interface ParticipantActivity {
  /** Who. */
  readonly participantId: string;
  /** When the last message of it was accepted; 0 before the first. */
  readonly lastMessageAtUnixMs: number;
  /** How many were accepted. */
  readonly messageCount: number;
}

/** A session as lists and `getSession` show it. */
export interface SessionMetadata {
  /** The session's id. */
  readonly sessionId: string;
  /** The mode whose rules hold. */
  readonly mode: string;
  /** Whether it is open, suspended, or how it ended. */
  readonly state: SessionStateName;
  /** When it was started, by the runtime's clock. */
  readonly startedAtUnixMs: number;
  /** When its time is over; suspension moves it. */
  readonly expiresAtUnixMs: number;
  /** The mode version that it is bound to. */
  readonly modeVersion: string;
  /** The configuration that it is bound to. */
  readonly configurationVersion: string;
  /** The policy that it is bound to. */
  readonly policyVersion: string;
  /** Who takes part. */
  readonly participants: readonly string[];
  /** Filled by `getSession` only. */
  readonly participantActivity: readonly ParticipantActivity[];
  /** Who started it. */
  readonly initiator: string;
  /** What the initiator called its context; may be empty. */
  readonly contextId: string;
  /** The names of its extensions; their bytes are in the SessionStart. */
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
  /** What happened. */
  readonly eventType: LifecycleEventType;
  /** The session as it is after that. */
  readonly session: SessionMetadata;
  /** When the runtime saw it. */
  readonly observedAtUnixMs: number;
}

/** A governance policy; `rules` is JSON text. */
export interface PolicyDescriptor {
  /** Its id: what sessions name as `policyVersion`. */
  readonly policyId: string;
  /** The mode it governs, or `*`. */
  readonly mode: string;
  /** For people. */
  readonly description: string;
  /** A JSON object as text; the `build…Policy` functions make it. */
  readonly rules: string;
  /** Which keys the rules may have, and what they mean. */
  readonly schemaVersion: number;
  /** Set by the runtime. */
  readonly registeredAtUnixMs?: number;
}

/** All policies after a change. */
export interface PoliciesChanged {
  /** All policies that there are now. */
  readonly descriptors: readonly PolicyDescriptor[];
  /** When the runtime saw it. */
  readonly observedAtUnixMs: number;
}

/** A hint that a registry changed; read it again. */
export interface RegistryChanged {
  /** Which registry. */
  readonly registry: string;
  /** When the runtime saw it. */
  readonly observedAtUnixMs: number;
}

/** A hint that the roots changed; read them again. */
export interface RootsChanged {
  /** When the runtime saw it. */
  readonly observedAtUnixMs: number;
}

/** What an agent, or the runtime itself, says it can do. */
export interface AgentManifest {
  /** The agent's name. */
  readonly agentId: string;
  /** Its name for people. */
  readonly title: string;
  /** What it is for. */
  readonly description: string;
  /** The modes that it speaks. */
  readonly supportedModes: readonly string[];
  /** Media types that it can read. */
  readonly inputContentTypes: readonly string[];
  /** Media types that it writes. */
  readonly outputContentTypes: readonly string[];
  /** Whatever else it says of itself. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Where it can be reached. */
  readonly transportEndpoints: readonly TransportEndpoint[];
}

/** Where an agent can be reached. */
export interface TransportEndpoint {
  /** The kind of transport, such as `grpc` or `http`. */
  readonly transport: string;
  /** The address. */
  readonly uri: string;
  /** Media types that are understood there. */
  readonly contentTypes: readonly string[];
  /** Whatever else is said of it. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** Which program is at the other end. */
export interface RuntimeInfo {
  /** The program's name. */
  readonly name: string;
  /** Its name for people. */
  readonly title: string;
  /** Its version. */
  readonly version: string;
  /** What it is. */
  readonly description: string;
  /** Where to read about it. */
  readonly websiteUrl: string;
}

/** What the runtime offers. */
export interface RuntimeCapabilities {
  /** Streams, lists and watches of sessions. */
  readonly sessions: {
    readonly stream: boolean;
    readonly listSessions: boolean;
    readonly watchSessions: boolean;
  };
  /** Whether sessions can be cancelled. */
  readonly cancelSession: boolean;
  /** Whether `sendProgress` is taken. */
  readonly progress: boolean;
  /** Whether manifests can be asked for. */
  readonly getManifest: boolean;
  /** Whether extension modes can be listed, and their changes watched. */
  readonly modeRegistry: { readonly listModes: boolean; readonly listChanged: boolean };
  /** Whether roots can be listed, and their changes watched. */
  readonly roots: { readonly listRoots: boolean; readonly listChanged: boolean };
  /** What can be done with policies. */
  readonly policyRegistry: {
    readonly registerPolicy: boolean;
    readonly listPolicies: boolean;
    readonly listChanged: boolean;
    /** Keys of rules that only some runtimes know, and that this one does. */
    readonly ruleExtensions: readonly string[];
    readonly whatIfReplay: boolean;
  };
  /** Whether there are receipts, and whether they are signed. */
  readonly decisionReceipt: { readonly getDecisionReceipt: boolean; readonly signed: boolean };
  /** Features that are no part of the protocol yet, by their names. */
  readonly experimental: Readonly<Record<string, string>>;
}

/** A decision receipt, parsed and as it came. */
export interface ReceiptText {
  /** Keep this one: the signature is over it. */
  readonly text: string;
  /** The same, parsed. */
  readonly receipt: DecisionReceipt;
}

/** The keys of a runtime, read and as they came. */
export interface ReceiptKeys {
  /** A JSON Web Key Set. */
  readonly text: string;
  /** The Ed25519 keys in it, as `verifyReceipt` takes them. */
  readonly keys: readonly TrustedReceiptKey[];
}

/** The answer to `initialize`. */
export interface InitializeResult {
  /** The protocol version that both speak. */
  readonly selectedProtocolVersion: string;
  /** Which program answered. */
  readonly runtimeInfo: RuntimeInfo;
  /** What it offers. */
  readonly capabilities: RuntimeCapabilities;
  /** The standard modes that it serves. */
  readonly supportedModes: readonly string[];
  /** Words of whoever runs it; often empty. */
  readonly instructions: string;
}

/** The answer to a change of a registry; `error` is empty when `ok`. */
export interface RegistryResult {
  /** Whether the registry was changed. */
  readonly ok: boolean;
  /** Why not. */
  readonly error: string;
}

/** One page of sessions; an empty `nextPageToken` is the last. */
export interface SessionsPage {
  /** What is on this page. */
  readonly sessions: readonly SessionMetadata[];
  /** Ask with it for the next page. */
  readonly nextPageToken: string;
}

export type { ModeDescriptor, Root };
