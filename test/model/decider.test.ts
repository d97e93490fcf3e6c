import { offersOf, RejectionCode, type SessionState } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { append, type DeciderSession, decide, newSession, nextTick } from './decider-session.js';
import { CAST, explore, RULE_SETS } from './explore.js';
import {
  initial,
  type Message,
  type PolicyRules,
  type State,
  stateKey,
  type Verdict,
} from './handoff-model.js';
import { startCommand, toCommand, toPolicy } from './to-command.js';

/** No time passes in the search, but for what the clock itself writes. */
const NOW = 1_000_000;
const ANSWERS = { offered: 'pending', accepted: 'accepted', declined: 'declined' } as const;
const PHASES = {
  OPEN: 'Open',
  SUSPENDED: 'Suspended',
  RESOLVED: 'Resolved',
  EXPIRED: 'Expired',
  CANCELLED: 'Cancelled',
} as const;
const SYNTHETIC = ['HandoffAccept', 'HandoffDecline'];

function started(rules: PolicyRules): DeciderSession {
  const session = newSession('9b2e7c1a-5d3f-4e8b-a1c2-d3e4f5a6b7c8', [toPolicy(rules)]);
  const command = startCommand(session.id, CAST.owner, [CAST.owner, ...CAST.targets]);
  const decision = decide(session, command, CAST.owner, NOW);
  if (decision.kind !== 'accepted')
    throw new Error(`the session does not start: ${JSON.stringify(decision)}`);
  return append(session, decision.drafts, NOW);
}

/** The decider's state as the model would write it. */
function keyOf(state: SessionState, like: State): string {
  const { offers } = offersOf(state);
  const outcome = { true: 'positive', false: 'negative', undefined: 'none' } as const;
  return stateKey({
    ...like,
    phase: PHASES[state.status],
    outcome: outcome[`${state.outcomePositive}`],
    offers: offers.map((offer) => ({
      id: offer.handoffId,
      target: offer.target,
      answer: ANSWERS[offer.disposition],
      context: offer.lateContexts > 0 ? 'late' : offer.contexts > 0 ? 'on time' : 'none',
    })),
  });
}

type Outcome = { readonly code: string; readonly after: DeciderSession };

function clockMoves(session: DeciderSession, type: 'expiry' | 'silence'): Outcome | 'cannot be timed' {
  const draft = nextTick(session);
  const isSilence = draft !== undefined && SYNTHETIC.includes(draft.type);
  if (type === 'expiry' && isSilence) return 'cannot be timed';
  if (draft === undefined || isSilence !== (type === 'silence')) return { code: 'NOT_DUE', after: session };
  return { code: 'ok', after: append(session, [draft], NOW) };
}

function ask(session: DeciderSession, message: Message): Outcome | 'cannot be timed' {
  if (message.type === 'expiry' || message.type === 'silence') return clockMoves(session, message.type);
  const decision = decide(session, toCommand(session.id, message), message.sender, NOW);
  if (decision.kind === 'rejected') return { code: decision.rejection.code, after: session };
  if (decision.kind === 'duplicate') return { code: RejectionCode.DUPLICATE_MESSAGE, after: session };
  return { code: 'ok', after: append(session, decision.drafts, NOW) };
}

/** Compares every verdict and every resulting state; returns the disagreements, those with the shortest path first. */
function compare(rules: PolicyRules): {
  readonly disagreements: readonly string[];
  readonly compared: number;
} {
  const start = initial([CAST.owner, ...CAST.targets], CAST.owner, rules);
  const sessions = new Map([[stateKey(start), started(rules)]]);
  const disagreements: string[] = [];
  let compared = 0;
  explore(rules, (path: readonly Message[], state: State, message: Message, verdict: Verdict) => {
    const session = sessions.get(stateKey(state));
    if (session === undefined) return;
    const outcome = ask(session, message);
    if (outcome === 'cannot be timed') return;
    compared += 1;
    const expected = verdict.accept ? 'ok' : verdict.codeClass;
    const next = verdict.accept ? verdict.state : state;
    const key = outcome.after.state === undefined ? 'none' : keyOf(outcome.after.state, state);
    if (outcome.code !== expected || key !== stateKey(next)) {
      const where = [...path, message].map((each) => JSON.stringify(each)).join(' ');
      disagreements.push(`model ${expected} ${stateKey(next)}, decider ${outcome.code} ${key}: ${where}`);
    } else if (!sessions.has(key)) sessions.set(key, outcome.after);
  });
  return { disagreements, compared };
}

describe('model and decider', () => {
  it.each(RULE_SETS)('agree on every message in every state, with %s', (_, rules) => {
    const { disagreements, compared } = compare(rules);
    expect(disagreements.slice(0, 10)).toEqual([]);
    expect(compared).toBeGreaterThan(100_000);
  });
});
