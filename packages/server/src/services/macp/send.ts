/**
 * Sending (docs/spec/macp.md 2.2): shape, authentication, sender, capability, rate, dispatch, in this order and in one
 * place, for unary calls, stream frames and HTTP alike.
 */
import {
  CoreMessageType,
  checkShape,
  type Envelope,
  findPayload,
  MAX_PARTICIPANTS,
  type Rejection,
  RejectionCode,
  reject,
  type SessionStatus,
  type Step,
} from '@handover/core';
import type { StepResult, Submission } from '@handover/engine';
import { type Ack, countFields } from '@handover/wire';
import type { Authentication, Credentials, Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { ModeEvent } from '../../observe/metrics.js';
import { judged, type Origin } from '../authenticate.js';
import type { ServiceDependencies } from '../dependencies.js';
import { quotaOf } from '../quotas.js';
import { rateFlaw } from '../rate-flaw.js';
import { modesRef, needsModeRegistry, policiesRef, sessionRef } from '../stream-refs.js';
import { submitWithin } from '../submit-within.js';
import { acceptedAck, rejectedAck, rejectionOfFault } from './acks.js';
import { sendAmbient } from './ambient.js';
import type { OpenSessionQuota } from './open-session-quota.js';
import { reservedNameFlaw } from './reserved-names.js';

export class SendService {
  readonly #deps: ServiceDependencies;
  readonly #quota: OpenSessionQuota;

  constructor(deps: ServiceDependencies, quota: OpenSessionQuota) {
    this.#deps = deps;
    this.#quota = quota;
  }

  /** Rows 1 to 11. The shape is checked before the credential: that is the protocol's order. */
  send(credentials: Credentials, envelope: Envelope, origin: Origin): Promise<Ack> {
    return this.sendKnown(() => this.#deps.authenticator.authenticate(credentials), envelope, origin);
  }

  /** The same for a door that checks credentials itself. */
  async sendKnown(
    authentication: () => Authentication | Promise<Authentication>,
    envelope: Envelope,
    origin: Origin,
  ): Promise<Ack> {
    const flaw = this.#shapeFlaw(envelope);
    if (flaw) return this.#refused(envelope, flaw);
    const outcome = authentication();
    const known = judged(this.#deps, outcome instanceof Promise ? await outcome : outcome, origin);
    if ('rejection' in known) return this.#refused(envelope, known.rejection);
    return this.#accept(known.value, envelope);
  }

  /** The same for a caller who was authenticated when its stream opened. */
  async sendAs(principal: Principal, envelope: Envelope): Promise<Ack> {
    const flaw = this.#shapeFlaw(envelope);
    return flaw ? this.#refused(envelope, flaw) : this.#accept(principal, envelope);
  }

  #shapeFlaw(envelope: Envelope): Rejection | undefined {
    return checkShape(envelope, this.#deps.maxPayloadBytes) ?? fieldsFlaw(envelope);
  }

  async #accept(principal: Principal, envelope: Envelope): Promise<Ack> {
    const refusal =
      senderFlaw(principal, envelope) ??
      this.#capabilityFlaw(principal, envelope) ??
      rateFlaw(this.#deps, principal, quotaOf(envelope), placesOf(envelope)) ??
      reservedNameFlaw(envelope, this.#deps.codec);
    if (refusal) return this.#refused(envelope, refusal, principal);
    const signed = envelope.sender === principal.agent ? envelope : { ...envelope, sender: principal.agent };
    const { messageType } = signed;
    if (messageType === CoreMessageType.Signal || messageType === CoreMessageType.Progress) {
      const rejection = await sendAmbient(this.#deps, principal, signed);
      return rejection
        ? this.#refused(signed, rejection, principal)
        : acceptedAck(signed, this.#deps.now(), 'OPEN');
    }
    if (messageType !== CoreMessageType.SessionStart) return this.#submit(principal, signed);
    return this.#quota.whileStarting(
      principal,
      signed.sessionId,
      () => this.#submit(principal, signed),
      (rejection) => this.#refused(signed, rejection),
    );
  }

  async #submit(principal: Principal, envelope: Envelope): Promise<Ack> {
    try {
      const submission = this.#submission(principal, envelope);
      const answer = await submitWithin(this.#deps, principal, quotaOf(envelope), submission);
      if (!answer.ok) return this.#refused(envelope, answer.rejection, principal);
      const [result] = answer.results;
      return result.state
        ? this.#accepted(principal, envelope, result, result.state.status)
        : this.#refused(envelope, NOTHING_DECIDED);
    } catch (thrown) {
      return this.#refused(envelope, rejectionOfFault(thrown));
    }
  }

  #submission(principal: Principal, envelope: Envelope): Submission<readonly ['session']> {
    const { tenant, agent } = principal;
    const step: Step<'session'> = {
      stream: sessionRef(tenant, envelope.sessionId),
      command: { kind: 'envelope', envelope },
      messageId: envelope.messageId,
    };
    const base = { agent, steps: [step], bytes: envelope.payload.length + 512 } as const;
    const registry = needsModeRegistry(envelope.mode) ? [modesRef(tenant)] : [];
    if (envelope.messageType === CoreMessageType.SessionStart)
      return { ...base, consult: [policiesRef(tenant, this.#deps.policiesFromFiles), ...registry] };
    return registry.length === 0 ? base : { ...base, consult: registry };
  }

  #accepted(
    principal: Principal,
    envelope: Envelope,
    { decision, entries }: StepResult<'session'>,
    status: SessionStatus,
  ): Ack {
    this.#deps.directory.called(principal);
    if (decision.kind === 'duplicate') {
      const { sessionId, messageId } = envelope;
      this.#deps.audit.duplicate({ actor: principal, sessionId, messageId });
      return acceptedAck(envelope, decision.acceptedAt, status, true);
    }
    return acceptedAck(envelope, entries[0]?.at ?? this.#deps.now(), status);
  }

  #refused(envelope: Envelope, rejection: Rejection, principal?: Principal): Ack {
    const { metrics, audit, codec, now } = this.#deps;
    metrics.count(ModeEvent.MESSAGE_REJECTED, envelope.mode);
    if (envelope.messageType === CoreMessageType.Commitment)
      metrics.count(ModeEvent.COMMITMENT_REJECTED, envelope.mode);
    if (principal && AUDITED.has(rejection.code))
      audit.authorizationFailed({
        actor: principal,
        action: envelope.messageType,
        code: rejection.code,
        sessionId: envelope.sessionId,
      });
    return rejectedAck(envelope, now(), rejection, codec);
  }

  #capabilityFlaw(principal: Principal, { messageType, mode }: Envelope): Rejection | undefined {
    if (messageType === CoreMessageType.SessionStart && !principal.canStartSessions)
      return reject(RejectionCode.FORBIDDEN, 'this identity may not start sessions');
    // Ambient messages have no mode; the restriction is on sessions.
    if (mode !== '' && principal.allowedModes && !principal.allowedModes.has(mode))
      return reject(RejectionCode.FORBIDDEN, 'this identity may not use this mode');
    return undefined;
  }
}

const MAX_FIELDS = fixedLimits.payloadFields.value;
/** A field has two bytes at least. */
const MAY_HAVE_TOO_MANY = 2 * MAX_FIELDS;

/** Only of payloads that the server decodes: all others are bytes to it. */
function fieldsFlaw({ mode, messageType, payload }: Envelope): Rejection | undefined {
  if (payload.length <= MAY_HAVE_TOO_MANY || !findPayload(mode, messageType)) return undefined;
  if (countFields(payload, MAX_FIELDS) <= MAX_FIELDS) return undefined;
  return reject(RejectionCode.INVALID_ENVELOPE, `payload has more than ${MAX_FIELDS} fields`);
}

const FIELDS_IN_A_PLACE = 100;
/** What a start has beside its participants, roots and extensions. */
const OTHER_FIELDS = 16;

/** A start is written into the lists of everybody it names: one with a thousand names costs as much as hundreds. */
function placesOf({ messageType, payload }: Envelope): number {
  if (messageType !== CoreMessageType.SessionStart) return 1;
  const fields = countFields(payload, MAX_PARTICIPANTS + OTHER_FIELDS) - OTHER_FIELDS;
  return Math.max(1, Math.ceil(fields / FIELDS_IN_A_PLACE));
}

/** Refusals because of who the caller is. UNAUTHENTICATED means here that a known caller named another sender. */
const AUDITED: ReadonlySet<RejectionCode> = new Set([
  RejectionCode.UNAUTHENTICATED,
  RejectionCode.FORBIDDEN,
  RejectionCode.POLICY_DENIED,
]);
const NOTHING_DECIDED = reject(RejectionCode.INTERNAL_ERROR, 'nothing was decided');

/** The sender must be empty or the credential's agent. The credential's agent is what is recorded. */
function senderFlaw({ agent }: Principal, { sender }: Envelope): Rejection | undefined {
  if (sender === '' || sender === agent) return undefined;
  return reject(
    RejectionCode.UNAUTHENTICATED,
    'sender is not the authenticated identity; leave it empty or make it equal',
  );
}
