/**
 * What this runtime says about itself (docs/spec/macp.md 1.6 and 5.4), as data: the gRPC door and
 * `/.well-known/macp.json` give it their own form. It promises only what the runtime serves.
 */
import { HANDOVER_RULES, MACP_VERSION, type Rejection, RejectionCode, reject } from '@handover/core';

/** The runtime as an agent: the id under which its manifest is found. */
export const RUNTIME_AGENT_ID = 'handover';
export const ENVELOPE_CONTENT_TYPE = 'application/macp-envelope+proto';

export interface RuntimeInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly websiteUrl: string;
}

export interface RuntimeCapabilities {
  readonly sessions: {
    readonly stream: boolean;
    readonly listSessions: boolean;
    readonly watchSessions: boolean;
  };
  readonly cancellation: { readonly cancelSession: boolean };
  readonly progress: { readonly progress: boolean };
  readonly manifest: { readonly getManifest: boolean };
  readonly modeRegistry: { readonly listModes: boolean; readonly listChanged: boolean };
  readonly roots: { readonly listRoots: boolean; readonly listChanged: boolean };
  readonly policyRegistry: {
    readonly registerPolicy: boolean;
    readonly listPolicies: boolean;
    readonly listChanged: boolean;
    /** The vendor keys at the top of rules that this server reads, sorted. */
    readonly ruleExtensions: string[];
    readonly whatIfReplay: boolean;
  };
  readonly decisionReceipt: { readonly getDecisionReceipt: boolean; readonly signed: boolean };
  readonly experimental: { readonly features: Readonly<Record<string, string>> };
}

export interface InitializeAnswer {
  readonly selectedProtocolVersion: string;
  readonly runtimeInfo: RuntimeInfo;
  readonly capabilities: RuntimeCapabilities;
  readonly supportedModes: readonly string[];
  readonly instructions: string;
}

export interface RuntimeManifest {
  readonly agentId: string;
  readonly title: string;
  readonly description: string;
  readonly supportedModes: readonly string[];
  readonly inputContentTypes: readonly string[];
  readonly outputContentTypes: readonly string[];
}

interface Known {
  readonly serverVersion: string;
  readonly policiesFromFiles: boolean;
  /** Ids of every mode served, in any order. */
  readonly modes: readonly string[];
}

const TITLE = 'Handover';
const DESCRIPTION = 'Agents and people hand responsibility to one another here, with proof of what happened.';
const INSTRUCTIONS =
  'Start a session, offer, and let the target accept or decline; a Commitment ends it. Retry with the same message_id.';

/** Undefined: the caller supports the version of this runtime. */
export function versionFlaw(supported: readonly string[]): Rejection | undefined {
  if (supported.length === 0)
    return reject(RejectionCode.INVALID_REQUEST, 'supported_protocol_versions is empty');
  if (supported.includes(MACP_VERSION)) return undefined;
  return reject(RejectionCode.UNSUPPORTED_PROTOCOL_VERSION, `this runtime speaks ${MACP_VERSION} only`);
}

export function initializeAnswer({ serverVersion, policiesFromFiles, modes }: Known): InitializeAnswer {
  return {
    selectedProtocolVersion: MACP_VERSION,
    runtimeInfo: {
      name: RUNTIME_AGENT_ID,
      title: TITLE,
      version: serverVersion,
      description: DESCRIPTION,
      websiteUrl: '',
    },
    capabilities: runtimeCapabilities(policiesFromFiles),
    supportedModes: inByteOrder(modes),
    instructions: INSTRUCTIONS,
  };
}

export function runtimeCapabilities(policiesFromFiles: boolean): RuntimeCapabilities {
  return {
    sessions: { stream: true, listSessions: true, watchSessions: true },
    cancellation: { cancelSession: true },
    progress: { progress: true },
    manifest: { getManifest: true },
    modeRegistry: { listModes: true, listChanged: true },
    // This runtime has no roots: the list is empty, and no notice of changes is promised.
    roots: { listRoots: true, listChanged: false },
    policyRegistry: {
      registerPolicy: !policiesFromFiles,
      listPolicies: true,
      listChanged: true,
      ruleExtensions: [HANDOVER_RULES],
      whatIfReplay: true,
    },
    // A key is always there: the data folder has one of its own.
    decisionReceipt: { getDecisionReceipt: true, signed: true },
    experimental: { features: { ext_mode_lifecycle: 'true' } },
  };
}

export function runtimeManifest(modes: readonly string[]): RuntimeManifest {
  return {
    agentId: RUNTIME_AGENT_ID,
    title: TITLE,
    description: DESCRIPTION,
    supportedModes: inByteOrder(modes),
    inputContentTypes: [ENVELOPE_CONTENT_TYPE],
    outputContentTypes: [ENVELOPE_CONTENT_TYPE],
  };
}

/** An empty id asks for the runtime itself. */
export function isRuntimeAgent(agentId: string): boolean {
  return agentId === '' || agentId === RUNTIME_AGENT_ID;
}

function inByteOrder(modes: readonly string[]): readonly string[] {
  return [...modes].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}
