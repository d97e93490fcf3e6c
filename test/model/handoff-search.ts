/** Asks the decider every message in every state of the Handoff model. */
import { offersOf, type Rejection, type SessionState } from '@handover/core';
import { append, type DeciderSession, decide, newSession, nextTick } from './decider-session.js';
import { CAST, explore } from './explore.js';
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

interface Answer {
  readonly code: string;
  readonly rejection?: Rejection;
  readonly after: DeciderSession;
}

function clockMoves(session: DeciderSession, type: 'expiry' | 'silence'): Answer | 'cannot be timed' {
  const draft = nextTick(session);
  const isSilence = draft !== undefined && SYNTHETIC.includes(draft.type);
  if (type === 'expiry' && isSilence) return 'cannot be timed';
  if (draft === undefined || isSilence !== (type === 'silence')) return { code: 'NOT_DUE', after: session };
  return { code: 'ok', after: append(session, [draft], NOW) };
}

function ask(session: DeciderSession, message: Message): Answer | 'cannot be timed' {
  if (message.type === 'expiry' || message.type === 'silence') return clockMoves(session, message.type);
  const decision = decide(session, toCommand(session.id, message), message.sender, NOW);
  if (decision.kind === 'duplicate') throw new Error('every message of the search is a new one');
  if (decision.kind === 'rejected') {
    const { rejection } = decision;
    return { code: rejection.code, rejection, after: session };
  }
  return { code: 'ok', after: append(session, decision.drafts, NOW) };
}

export interface AskedHandoff {
  readonly path: readonly Message[];
  readonly state: State;
  readonly message: Message;
  readonly verdict: Verdict;
  readonly answer: Answer;
  /** The decider's state afterwards, as the model would write it. */
  readonly key: string;
}

/**
 * A state to which the decider does not follow the model is left out from there on. `longest`: only states that are reached
 * by at most so many messages are looked at.
 */
export function askHandoffDecider(
  rules: PolicyRules,
  see: (asked: AskedHandoff) => void,
  longest = Number.POSITIVE_INFINITY,
): void {
  const start = initial([CAST.owner, ...CAST.targets], CAST.owner, rules);
  const sessions = new Map([[stateKey(start), started(rules)]]);
  explore(rules, (path: readonly Message[], state: State, message: Message, verdict: Verdict) => {
    const session = sessions.get(stateKey(state));
    if (session === undefined || path.length > longest) return;
    const answer = ask(session, message);
    if (answer === 'cannot be timed') return;
    const key = answer.after.state === undefined ? 'none' : keyOf(answer.after.state, state);
    see({ path, state, message, verdict, answer, key });
    if (!sessions.has(key)) sessions.set(key, answer.after);
  });
}
