/**
 * Security events (RFC section 8): who was refused, what ended, which quota was hit. They are ordinary log lines with
 * `audit: true`, so that they can be routed by one filter. They carry ids and codes, never content.
 */
import type { Log, LogFields } from './log.js';
import { SparseLines } from './sparse-lines.js';

export interface Actor {
  readonly tenant: string;
  readonly agent: string;
}

export interface Audit {
  /** One line every ten seconds for a peer and a reason. `reason` is the authenticator's message, which never repeats the credential. */
  authenticationFailed(event: {
    readonly door: string;
    readonly reason: string;
    readonly peer?: string;
  }): void;
  authorizationFailed(event: {
    readonly actor: Actor;
    readonly action: string;
    readonly code: string;
    readonly sessionId?: string;
  }): void;
  duplicate(event: { readonly actor: Actor; readonly sessionId: string; readonly messageId: string }): void;
  terminal(event: { readonly tenant: string; readonly sessionId: string; readonly state: string }): void;
  cancelled(event: { readonly actor: Actor; readonly sessionId: string }): void;
  /** A call that listened and did not keep up. */
  listenerCutOff(event: { readonly actor: Actor }): void;
  /** One line every ten seconds for an actor, or a peer, and a quota; the lines between are counted in `unsaid`. */
  quotaHit(event: {
    /** Absent where nobody has a name: the peer is then who it was. */
    readonly actor?: Actor;
    readonly peer?: string;
    readonly quota: string;
    readonly retryAfterMs?: number;
  }): void;
}

const ONE_LINE_EVERY_MS = 10_000;

export function createAudit(log: Log): Audit {
  // Apart: a flood of wrong credentials must not hide who reached a quota.
  const refusals = new SparseLines(ONE_LINE_EVERY_MS);
  const quotas = new SparseLines(ONE_LINE_EVERY_MS);
  const fields = (event: LogFields & { readonly actor?: Actor }): LogFields => ({
    audit: true,
    ...event,
    // Who it was, and nothing else that a principal holds.
    ...(event.actor && { actor: { tenant: event.actor.tenant, agent: event.actor.agent } }),
  });
  return {
    authenticationFailed: (event) => {
      const unsaid = refusals.take(`${event.door}\n${event.peer ?? ''}\n${event.reason}`);
      if (unsaid !== undefined) log.warn('audit.authentication_failed', fields({ ...event, unsaid }));
    },
    authorizationFailed: (event) => log.warn('audit.authorization_failed', fields(event)),
    duplicate: (event) => log.info('audit.duplicate', fields(event)),
    terminal: (event) => log.info('audit.terminal', fields(event)),
    cancelled: (event) => log.info('audit.cancelled', fields(event)),
    listenerCutOff: (event) => log.warn('audit.listener_cut_off', fields(event)),
    quotaHit: (event) => {
      const { actor, peer = '', quota } = event;
      const who = actor ? `${actor.tenant}\n${actor.agent}` : peer;
      const unsaid = quotas.take(`${who}\n${quota}`);
      if (unsaid !== undefined) log.warn('audit.quota_hit', fields({ ...event, unsaid }));
    },
  };
}
