/** What the models of test/model say of every message in every state, as far as a page shows it. */
import type { Rejection } from '@handover/core';
import { explore } from '../../model/explore.js';
import type { State as HandoffState, Message, PolicyRules, Verdict } from '../../model/handoff-model.js';
import { askHandoffDecider } from '../../model/handoff-search.js';
import type { ModeModel, Said, Session } from '../../model/modes/mode-model.js';
import { askedOfDecider } from '../../model/modes/mode-search.js';
import { walk } from '../../model/modes/walk.js';

export type Role = 'initiator' | 'participant' | 'outsider' | 'nobody';

export interface Move {
  readonly type: string;
  readonly by: Role;
  readonly from: string;
  /** Undefined: refused. */
  readonly to: string | undefined;
  /** Of a Commitment. */
  readonly positive?: boolean | undefined;
}

export interface Refusal {
  readonly type: string;
  readonly rejection: Rejection;
}

/** One policy under which a mode is shown. */
export interface Scenario {
  moves(): Iterable<Move>;
  /** What the runtime's own decider refuses, and in which words. */
  refusals(): Iterable<Refusal>;
}

/** Second starts and payloads that are none are refused alike in every mode; docs/reference/rejections.md has them. */
const isOfTheMode = ({ type, garbled }: Said): boolean => type !== 'SessionStart' && !garbled;

/** Every refusal is met by then; the search for disagreements goes further. */
const LONGEST = 4;
export const RESOLVED = 'Resolved';

export function scenario<State>(model: ModeModel<State>): Scenario {
  const phaseOf = (session: Session<State>) =>
    session.status === 'OPEN' ? model.phase(session.state) : RESOLVED;
  const roleOf = (sender: string): Role => {
    if (sender === model.owner) return 'initiator';
    return model.participants.includes(sender) ? 'participant' : 'outsider';
  };
  return {
    *moves() {
      for (const { session, said, verdict } of walk(model))
        if (isOfTheMode(said))
          yield {
            type: said.type,
            by: roleOf(said.sender),
            from: phaseOf(session),
            to: 'session' in verdict ? phaseOf(verdict.session) : undefined,
            positive: outcomeOf(said),
          };
    },
    *refusals() {
      for (const { path, said, rejection } of askedOfDecider(model)) {
        if (path.length > LONGEST) return;
        if (rejection && isOfTheMode(said)) yield { type: said.type, rejection };
      }
    },
  };
}

const outcomeOf = ({ fields }: Said) =>
  typeof fields.outcomePositive === 'boolean' ? fields.outcomePositive : undefined;

const TYPES: Readonly<Record<string, string>> = {
  offer: 'HandoffOffer',
  context: 'HandoffContext',
  accept: 'HandoffAccept',
  decline: 'HandoffDecline',
  commit: 'Commitment',
  unknown: 'Unknown',
};

export function handoffScenario(rules: PolicyRules): Scenario {
  return {
    *moves() {
      // Controls and the deadline are the session's: see sessionMoves.
      for (const { state, message, verdict } of visited(rules))
        if (message.type in TYPES || message.type === 'silence')
          yield {
            type: message.type === 'silence' ? SILENCE[rules.silence] : (TYPES[message.type] ?? ''),
            by: 'sender' in message ? handoffRole(message.sender) : 'nobody',
            from: handoffPhase(state),
            to: verdict.accept ? handoffPhase(verdict.state) : undefined,
            positive: message.type === 'commit' ? message.positive : undefined,
          };
    },
    refusals() {
      const refusals: Refusal[] = [];
      const see = (type: string, rejection: Rejection | undefined) => {
        if (rejection && type in TYPES) refusals.push({ type: TYPES[type] ?? '', rejection });
      };
      askHandoffDecider(rules, ({ message, answer }) => see(message.type, answer.rejection), LONGEST);
      return refusals;
    },
  };
}

const SILENCE = {
  nothing: 'silence',
  accept: 'HandoffAccept by time-out',
  decline: 'HandoffDecline by time-out',
};

/** What every session has, whatever its mode: controls, the deadline, the Commitment. */
export function* sessionMoves(rules: PolicyRules): Generator<Move> {
  for (const { state, message, verdict } of visited(rules))
    yield {
      type:
        message.type === 'commit' ? 'Commitment' : (SESSION_TYPES[message.type] ?? 'messages of the mode'),
      by: 'sender' in message ? handoffRole(message.sender) : 'nobody',
      from: state.phase,
      to: verdict.accept ? verdict.state.phase : undefined,
    };
}

const SESSION_TYPES: Readonly<Record<string, string>> = {
  cancel: 'CancelSession',
  suspend: 'SuspendSession',
  resume: 'ResumeSession',
  expiry: 'the deadline',
};

interface Visited {
  readonly state: HandoffState;
  readonly message: Message;
  readonly verdict: Verdict;
}

function visited(rules: PolicyRules): readonly Visited[] {
  const all: Visited[] = [];
  explore(rules, (_, state, message, verdict) => void all.push({ state, message, verdict }));
  return all;
}

const handoffRole = (sender: string): Role =>
  sender === 'owner' ? 'initiator' : sender === 'x' ? 'outsider' : 'participant';

function handoffPhase({ phase, offers }: HandoffState): string {
  if (phase !== 'Open') return phase;
  const last = offers.at(-1);
  if (!last) return 'Pending';
  return { pending: 'OfferPending', accepted: 'Accepted', declined: 'Declined' }[last.answer];
}
