/** SessionStart, check by check in the protocol's order (rows 1 to 14; ids are reserved by the append itself). */
import { accepted, type DecideContext, type Decision, rejected, type Stamp } from '../decider.js';
import type { Envelope } from '../envelope/envelope.js';
import type { SessionStartPayload } from '../envelope/payloads.js';
import type { JsonObject } from '../log/json.js';
import { type AnyMode, BUILT_IN_MODES, reservedPrefix } from '../modes/registry.js';
import { ANY_MODE, DEFAULT_POLICY_ID, type PolicyDescriptor } from '../policy/descriptor.js';
import { rolesFlaw } from '../policy/rules.js';
import { descriptorToFacts } from '../registry/mode-facts.js';
import { findMode } from '../registry/modes.js';
import { findPolicy, type PoliciesState } from '../registry/policies.js';
import { type Rejection, RejectionCode, reject } from '../rejection.js';
import { cited, isBlank, isId, isWellFormed } from '../text.js';
import { bindingFacts, type SessionBinding } from './binding.js';
import { sameMessage } from './duplicate.js';
import { envelopeFacts } from './facts.js';
import { NEWEST_SESSION_REV, SessionRev } from './rev.js';
import { isSessionId, MAX_OLDER_SESSION_ID_BYTES, MAX_SESSION_ID_BYTES } from './session-id.js';
import type { SessionState } from './state.js';

/** The longest life of a session, in milliseconds: one day. */
export const MAX_TTL_MS = 86_400_000;
/** The most participants that a session may name. */
export const MAX_PARTICIPANTS = 1_000;
export const DEFAULT_MAX_SUSPEND_MS = 604_800_000;
/** How far a client's clock may move the start of its TTL. */
export const MAX_CLOCK_SKEW_MS = 300_000;
/** Extension keys with this beginning are the server's own. */
const RESERVED_EXTENSION_PREFIX = 'handover.';
const invalid = (message: string): Rejection => reject(RejectionCode.INVALID_ENVELOPE, message);

interface Asked {
  readonly envelope: Envelope;
  readonly binding?: SessionBinding;
  /** Facts of a start that the server itself writes. */
  readonly own?: JsonObject;
  readonly rev?: number;
}

export function decideStart(
  state: SessionState | undefined,
  { envelope, binding, own, rev: recorded }: Asked,
  stamp: Stamp,
  context: DecideContext,
): Decision {
  const rev = recorded ?? NEWEST_SESSION_REV;
  const longest = rev < SessionRev.Wire2026 ? MAX_OLDER_SESSION_ID_BYTES : MAX_SESSION_ID_BYTES;
  if (!isSessionId(envelope.sessionId, longest)) return rejected(badSessionId());
  const mode = findMode(context.consulted.modes, envelope.mode);
  if (!mode)
    return rejected(reject(RejectionCode.MODE_NOT_SUPPORTED, `mode ${envelope.mode} is not served here`));
  const start =
    envelope.payload.length > 0 ? context.codec.decode('SessionStart', envelope.payload) : undefined;
  if (!start) return rejected(invalid('payload is not a SessionStartPayload'));
  const flaw = payloadFlaw(start, mode);
  if (flaw) return rejected(flaw);
  if (state) return repeated(envelope, stamp, context);
  const policy = boundPolicy(start, envelope.mode, context.consulted.policies);
  if ('code' in policy) return rejected(policy);
  // Not of a session that is recorded: it began when nobody asked.
  const unfit =
    recorded === undefined ? (rolesFlaw(policy.rules) ?? mode.uncountable?.(policy.rules)) : undefined;
  if (unfit) return rejected(reject(RejectionCode.INVALID_POLICY_DEFINITION, unfit));
  const participants = mode.bind ? mode.bind(envelope.sender, start) : start.participants;
  if ('code' in participants) return rejected(participants);
  const reserved = own ? undefined : reservedPrefix(mode, envelope.messageId);
  if (reserved)
    return rejected(invalid(`message_id may not begin with "${reserved}": the runtime writes those`));
  const deadline = resolveDeadline(envelope.timestampUnixMs, start.ttlMs, stamp.at);
  if (deadline <= stamp.at) return rejected(staleClock(stamp.at - envelope.timestampUnixMs));
  const facts = startFacts({
    envelope,
    start,
    mode,
    policy,
    participants,
    deadline,
    rev: recordedRev(rev, binding),
    ...(binding && { binding }),
    ...(own && { own }),
  });
  const { messageType: type, sender: actor, messageId, payload } = envelope;
  return accepted({ type, v: 1, actor, messageId, facts, payload });
}

/** Before the protocol of 2026, only take-overs recorded their own. */
function recordedRev(rev: number, binding: SessionBinding | undefined): number {
  if (rev >= SessionRev.Wire2026) return rev;
  return binding?.takeOver ? SessionRev.TakeOvers : SessionRev.First;
}

function badSessionId(): Rejection {
  const message = `session_id must be 22 to ${MAX_SESSION_ID_BYTES} characters of [A-Za-z0-9_-]; what has the shape of a UUID must be one of version 4 or 7, in lowercase`;
  return reject(RejectionCode.INVALID_SESSION_ID, message);
}

function payloadFlaw(start: SessionStartPayload, mode: AnyMode): Rejection | undefined {
  const { descriptor, strict, minParticipants } = mode;
  const ttl = ttlFlaw(start);
  if (strict && ttl) return ttl;
  if (strict && isBlank(start.modeVersion)) return invalid('mode_version is empty');
  if (strict && isBlank(start.configurationVersion)) return invalid('configuration_version is empty');
  const participants = participantsFlaw(start.participants, minParticipants);
  if (participants) return participants;
  if (start.maxSuspendMs < 0) return invalid('max_suspend_ms must be 0 or more');
  if (start.modeVersion !== descriptor.modeVersion && (strict || start.modeVersion !== ''))
    return invalid(`mode_version must be ${descriptor.modeVersion}`);
  return ttl ?? namesFlaw(start);
}

function ttlFlaw({ ttlMs }: SessionStartPayload): Rejection | undefined {
  return ttlMs >= 1 && ttlMs <= MAX_TTL_MS
    ? undefined
    : invalid(`ttl_ms must be between 1 and ${MAX_TTL_MS}`);
}

function participantsFlaw(participants: readonly string[], min: number): Rejection | undefined {
  if (participants.length < min)
    return invalid(
      participants.length === 0 ? 'participants is empty' : `participants has fewer than ${min} names`,
    );
  if (participants.length > MAX_PARTICIPANTS)
    return invalid(`participants has more than ${MAX_PARTICIPANTS} names`);
  const seen = new Set<string>();
  for (const [index, name] of participants.entries()) {
    if (isBlank(name)) return invalid(`participants[${index}] is blank`);
    if (!isId(name))
      return invalid(`participants[${index}] must be 1 to 256 bytes without control characters`);
    if (seen.has(name.trim())) return invalid(`participants[${index}] is named twice`);
    seen.add(name.trim());
  }
  return undefined;
}

const NAMED_FIELDS = [
  ['configurationVersion', 'configuration_version'],
  ['policyVersion', 'policy_version'],
  ['contextId', 'context_id'],
] as const;

function namesFlaw(start: SessionStartPayload): Rejection | undefined {
  for (const [field, name] of NAMED_FIELDS)
    if (start[field] !== '' && !isId(start[field]))
      return invalid(`${name} must be at most 256 bytes without control characters`);
  for (const key of Object.keys(start.extensions)) {
    if (key.startsWith(RESERVED_EXTENSION_PREFIX))
      return invalid(`extensions may not use the key ${cited(key)}: handover.* is reserved`);
    if (!isId(key) || !isWellFormed(key))
      return invalid('extensions has a key that is empty, too long or has control characters');
  }
  return undefined;
}

/** The id is taken: the identical message is a retry, anything else is refused, whoever sends it. */
function repeated(envelope: Envelope, stamp: Stamp, { codec }: DecideContext): Decision {
  if (stamp.seen?.seq === 1 && sameMessage(envelope, stamp.seen, codec))
    return { kind: 'duplicate', acceptedAt: stamp.seen.at, seq: 1 };
  return rejected(
    reject(RejectionCode.SESSION_ALREADY_EXISTS, 'session_id is already in use; choose a new one'),
  );
}

function boundPolicy(
  start: SessionStartPayload,
  mode: string,
  policies: PoliciesState | undefined,
): PolicyDescriptor | Rejection {
  const id = start.policyVersion === '' ? DEFAULT_POLICY_ID : start.policyVersion;
  const policy = findPolicy(policies, id);
  if (!policy)
    return reject(RejectionCode.UNKNOWN_POLICY_VERSION, 'policy_version names no registered policy');
  if (policy.mode === ANY_MODE || policy.mode === mode) return policy;
  return reject(
    RejectionCode.INVALID_POLICY_DEFINITION,
    `policy ${id} governs mode ${policy.mode}, not ${mode}`,
  );
}

/** The client's clock is the base of the TTL, held within the allowed skew; the result is recorded. */
function resolveDeadline(timestamp: number, ttlMs: number, now: number): number {
  const base =
    timestamp > 0 ? Math.min(Math.max(timestamp, now - MAX_CLOCK_SKEW_MS), now + MAX_CLOCK_SKEW_MS) : now;
  return base + ttlMs;
}

function staleClock(behindMs: number): Rejection {
  return invalid(
    `the deadline is not in the future: the time of the envelope is ${behindMs} ms behind the server's clock, more than ttl_ms`,
  );
}

interface Bound {
  readonly envelope: Envelope;
  readonly start: SessionStartPayload;
  readonly mode: AnyMode;
  readonly policy: PolicyDescriptor;
  readonly participants: readonly string[];
  readonly deadline: number;
  readonly rev: number;
  readonly binding?: SessionBinding;
  readonly own?: JsonObject;
}

function startFacts({
  envelope,
  start,
  mode,
  policy,
  participants,
  deadline,
  rev,
  binding,
  own,
}: Bound): JsonObject {
  const builtIn = BUILT_IN_MODES.has(envelope.mode);
  return {
    ...envelopeFacts(envelope),
    ...own,
    rev,
    participants,
    mode_version: mode.descriptor.modeVersion,
    configuration_version: start.configurationVersion,
    policy: {
      policy_id: policy.policyId,
      mode: policy.mode,
      schema_version: policy.schemaVersion,
      rules: policy.rules,
    },
    deadline,
    max_suspend_ms: start.maxSuspendMs > 0 ? start.maxSuspendMs : DEFAULT_MAX_SUSPEND_MS,
    ...(start.contextId === '' ? {} : { context_id: start.contextId }),
    ...(Object.keys(start.extensions).length === 0
      ? {}
      : { extension_keys: Object.keys(start.extensions).sort() }),
    ...(binding && { binding: bindingFacts(binding) }),
    ...(builtIn ? {} : { mode_descriptor: descriptorToFacts(mode.descriptor), strict: mode.strict }),
  };
}
