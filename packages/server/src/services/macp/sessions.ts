/** Reading and steering sessions: get, list, control, follow. */
import {
  type Control,
  type HandoverError,
  isMember,
  type Json,
  type JsonObject,
  ordinalAt,
  type Rejection,
  RejectionCode,
  reject,
  type SessionMetadata,
  type SessionState,
  StreamKind,
  sequenceOf,
  sessionMetadata,
  summaryToMetadata,
} from '@handover/core';
import type { Subscription } from '@handover/engine';
import type { Ack } from '@handover/wire';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { ServiceDependencies } from '../dependencies.js';
import { listedRows } from '../listed-rows.js';
import type { Outcome } from '../outcome.js';
import { CONTROL_QUOTAS } from '../quotas.js';
import { rateFlaw } from '../rate-flaw.js';
import { sessionRef } from '../stream-refs.js';
import { submitWithin } from '../submit-within.js';
import { acceptedAck, rejectedAck, rejectionOfFault } from './acks.js';

export interface SessionPage {
  readonly sessions: readonly SessionMetadata[];
  /** The id to go on after; empty: this was the last page. */
  readonly nextAfter: string;
}

export interface Followed {
  readonly subscription: Subscription;
  /** Of the last envelope before the first one that it brings. */
  readonly ordinal: number;
}

const MAX_REASON = fixedLimits.controlReasonBytes.value;
const NOT_FOUND = reject(RejectionCode.SESSION_NOT_FOUND, 'session_id names no session');
const NOT_MEMBER = reject(
  RejectionCode.FORBIDDEN,
  'only the initiator, participants and observers may see this session',
);

export class Sessions {
  readonly #deps: ServiceDependencies;

  constructor(deps: ServiceDependencies) {
    this.#deps = deps;
  }

  async get(principal: Principal, sessionId: string): Promise<Outcome<SessionMetadata>> {
    const found = await this.#deps.engine.query(sessionRef(principal.tenant, sessionId));
    const rejection = this.judgeReader(principal, sessionId, found?.state);
    if (rejection || !found) return { rejection: rejection ?? NOT_FOUND };
    return { value: sessionMetadata(found.state) };
  }

  /** Why the caller may not read; undefined: it may. A lack of authority is written to the security log. */
  judgeReader(
    principal: Principal,
    sessionId: string,
    session: SessionState | undefined,
  ): Rejection | undefined {
    const rejection = readRejection(principal, session);
    if (rejection === NOT_MEMBER)
      this.#deps.audit.authorizationFailed({
        actor: principal,
        action: 'read',
        code: rejection.code,
        sessionId,
      });
    return rejection;
  }

  /** Only the caller's own sessions; observers see the tenant's. A page ends at its size or when it gets too long. */
  async list(principal: Principal, pageSize: number, after: string): Promise<SessionPage> {
    const { fallback, max } = this.#deps.listPageSize;
    const limit = Math.min(pageSize === 0 ? fallback : pageSize, max);
    const sessions: SessionMetadata[] = [];
    let bytes = 0;
    let last = '';
    const rows = listedRows(this.#deps.engine, visibleTo(principal), after === '' ? undefined : after);
    for await (const { ref, row } of rows) {
      if (sessions.length >= limit || bytes >= fixedLimits.sessionListBytes.value)
        return { sessions, nextAfter: last };
      sessions.push(summaryToMetadata(ref.id, parseSummary(row.summary)));
      bytes += row.summary.length;
      last = ref.id;
    }
    return { sessions, nextAfter: '' };
  }

  /** An unknown session and a lack of authority are refusals of the call; all else is an Ack. */
  async control(
    principal: Principal,
    sessionId: string,
    control: Control,
    reason: string,
  ): Promise<Outcome<Ack>> {
    const { codec, now, audit } = this.#deps;
    const named = { messageId: '', sessionId };
    const refused = (rejection: Rejection): Outcome<Ack> => ({
      value: rejectedAck(named, now(), rejection, codec),
    });
    const reasonBytes = Buffer.byteLength(reason);
    if (reasonBytes > MAX_REASON)
      return refused(reject(RejectionCode.INVALID_ENVELOPE, `reason is longer than ${MAX_REASON} bytes`));
    const quota = CONTROL_QUOTAS[control];
    const limited = rateFlaw(this.#deps, principal, quota);
    if (limited) return refused(limited);
    try {
      const answer = await submitWithin(this.#deps, principal, quota, {
        agent: principal.agent,
        steps: [
          {
            stream: sessionRef(principal.tenant, sessionId),
            command: { kind: 'control', control, reason },
          },
        ],
        bytes: reasonBytes + 512,
      });
      if (answer.ok) {
        const [{ state, entries }] = answer.results;
        if (!state) throw new Error('a session that was steered is not in the log');
        // Cancelling a session that has ended changes nothing.
        if (control === 'cancel' && entries.length > 0) audit.cancelled({ actor: principal, sessionId });
        return { value: acceptedAck(named, entries[0]?.at ?? now(), state.status) };
      }
      const { rejection } = answer;
      if (rejection.code === RejectionCode.FORBIDDEN)
        audit.authorizationFailed({ actor: principal, action: control, code: rejection.code, sessionId });
      const refusesCall =
        rejection.code === RejectionCode.SESSION_NOT_FOUND || rejection.code === RejectionCode.FORBIDDEN;
      return refusesCall ? { rejection } : refused(rejection);
    } catch (thrown) {
      return refused(rejectionOfFault(thrown));
    }
  }

  /** Follows a session's envelopes from after an ordinal. Membership is checked before the subscription begins. */
  async follow(
    principal: Principal,
    sessionId: string,
    after: number,
    onLagged?: (fault: HandoverError) => void,
  ): Promise<Outcome<Followed>> {
    const ref = sessionRef(principal.tenant, sessionId);
    let controls: SessionState['controls'] = [];
    const from = (session: SessionState | undefined) => {
      controls = session?.controls ?? [];
      return sequenceOf(controls, after);
    };
    const judge = (session: SessionState | undefined) => this.judgeReader(principal, sessionId, session);
    const opened = await this.#deps.engine.subscribe(ref, from, judge, onLagged);
    if ('refusal' in opened) return { rejection: opened.refusal };
    const { subscription } = opened;
    return { value: { subscription, ordinal: ordinalAt(controls, subscription.cursor) } };
  }
}

/** Core wrote the summary, so it parses to an object. */
function parseSummary(summary: string): JsonObject {
  return JSON.parse(summary) as Json as JsonObject;
}

export function readRejection(
  principal: Principal,
  session: SessionState | undefined,
): Rejection | undefined {
  if (!session) return NOT_FOUND;
  return principal.isObserver || isMember(session, principal.agent) ? undefined : NOT_MEMBER;
}

export function visibleTo({ tenant, agent, isObserver }: Principal) {
  return { tenant, kind: StreamKind.Session, ...(isObserver ? {} : { agent }) };
}
