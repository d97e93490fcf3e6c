/** A model of `modes/` with what is the same in every mode around it: suspension, resumption, cancelling and expiry. */
import { commitments, judge, type ModeModel, mistakes, type Said } from '../modes/mode-model.js';
import type { Row, Walk } from './walk.js';

export const CONTROLS = ['suspend', 'resume', 'cancel'] as const;
export interface ControlMove {
  readonly type: (typeof CONTROLS)[number];
  readonly sender: string;
}
export type Move = Said | ControlMove | { readonly type: 'expiry' };

/** A session that is over keeps what it was before: the names of rows may depend on it. */
interface Session<State> {
  readonly status: 'OPEN' | 'SUSPENDED' | 'RESOLVED' | 'EXPIRED' | 'CANCELLED';
  readonly state: State;
}

/** How the states and messages of a model are called. */
export interface Names<State> {
  /** In the order of the table; the first that holds is the name of a state. */
  readonly columns: Readonly<Record<string, (state: State) => boolean>>;
  /** `role` is who the sender is whatever was said. */
  row(state: State, said: Said, role: string): Row;
}

/** What a session is that is not open. */
export const STATUSES = ['suspended', 'resolved', 'expired', 'cancelled'];
const OUTSIDER = 'x';
export const SECOND_START = 'SessionStart, a second one';
export const undecodable = (type: string) => `${type}, undecodable`;

export function modeWalk<State>(model: ModeModel<State>, names: Names<State>): Walk<Session<State>, Move> {
  const everybody = [...new Set([model.owner, ...model.participants, ...model.committers, OUTSIDER])];
  const columns = Object.entries(names.columns);
  const column = (state: State) => columns.find(([, holds]) => holds(state))?.[0] ?? 'none of these';
  return {
    initial: { status: 'OPEN', state: model.initial },
    moves: [
      ...model.messages,
      ...commitments(everybody),
      ...mistakes(model, everybody),
      ...CONTROLS.flatMap((type) => everybody.map((sender) => ({ type, sender }))),
      { type: 'expiry' },
    ],
    step: (session, move) => step(model, session, move),
    key: ({ status, state }) => `${status} ${status === 'OPEN' ? model.key(state) : column(state)}`,
    closed: STATUSES,
    columns: [...columns.map(([name]) => name), ...STATUSES],
    column: ({ status, state }) => (status === 'OPEN' ? column(state) : status.toLowerCase()),
    row({ state }, move) {
      if (!('sender' in move)) return undefined;
      const role = roleOf(model, move.sender);
      if (!('fields' in move)) return { message: move.type, sender: role };
      if (move.type === 'SessionStart') return { message: SECOND_START, sender: role };
      if (move.garbled) return { message: undecodable(move.type), sender: role };
      if (move.type === 'Unknown') return { message: 'any other type', sender: role };
      if (move.type !== 'Commitment') return names.row(state, move, role);
      const outcome = move.fields.outcomePositive === true ? 'positive' : 'negative';
      return { message: `Commitment, ${outcome}`, sender: role };
    },
  };
}

function roleOf<State>({ owner, participants, committers }: ModeModel<State>, sender: string): string {
  if (sender === owner) return 'initiator';
  if (participants.includes(sender)) return 'participant';
  return committers.includes(sender) ? 'who is designated' : 'outsider';
}

type Verdict<State> = { readonly state: Session<State> } | { readonly code: string };

function step<State>(model: ModeModel<State>, session: Session<State>, move: Move): Verdict<State> {
  const { status, state } = session;
  if ('fields' in move) {
    const asked =
      status === 'OPEN' ? ({ status, state } as const) : ({ status: 'RESOLVED', positive: true } as const);
    const verdict = judge(model, asked, move);
    if ('code' in verdict) return verdict;
    const { session: next } = verdict;
    return { state: next.status === 'OPEN' ? next : { status: 'RESOLVED', state } };
  }
  const goesOn = status === 'OPEN' || status === 'SUSPENDED';
  if (!('sender' in move)) return goesOn ? { state: { status: 'EXPIRED', state } } : { code: 'it is over' };
  if (![model.owner, ...model.committers].includes(move.sender)) return { code: 'FORBIDDEN' };
  if (move.type === 'cancel') return { state: goesOn ? { status: 'CANCELLED', state } : session };
  if (status !== (move.type === 'suspend' ? 'OPEN' : 'SUSPENDED')) return { code: 'SESSION_NOT_OPEN' };
  return { state: { status: move.type === 'suspend' ? 'SUSPENDED' : 'OPEN', state } };
}
