/**
 * A second reading of one Handoff session, written from the documents alone. It shares no code with the runtime, and
 * is kept small enough to be checked by eye against RFC-MACP-0010 and the decisions.
 *
 * Left out on purpose: time (expiry and implicit answers are moves of the clock), message ids, texts, payload bytes.
 * Contexts of an offer are reduced to none, on time, late (the latest one).
 *
 * M1 an outsider is refused first, in any state.
 * M2 then the state: only an open session takes messages.
 * M3 then authority by type alone, then the content, then authority by the offer, then the offer's own state.
 * M4 a refusal changes nothing.
 */
export type Authority = 'initiator_only' | 'any_participant' | 'designated_role';

export interface PolicyRules {
  readonly authority: Authority;
  readonly designated: readonly string[];
  readonly allowNoTarget: boolean;
  /** What the silence of a target comes to mean. */
  readonly silence: 'nothing' | 'accept' | 'decline';
}

export const DEFAULT_RULES: PolicyRules = {
  authority: 'initiator_only',
  designated: [],
  allowNoTarget: false,
  silence: 'nothing',
};

export interface Offer {
  readonly id: string;
  readonly target: string;
  readonly answer: 'pending' | 'accepted' | 'declined';
  readonly context: 'none' | 'on time' | 'late';
}

export interface State {
  readonly owner: string;
  readonly participants: readonly string[];
  readonly rules: PolicyRules;
  readonly phase: 'Open' | 'Suspended' | 'Resolved' | 'Expired' | 'Cancelled';
  /** In the order in which they were made. */
  readonly offers: readonly Offer[];
  readonly outcome: 'none' | 'positive' | 'negative';
}

export interface Control {
  readonly type: 'cancel' | 'suspend' | 'resume';
  readonly sender: string;
}

/** A message of a participant, as against a control call or a move of the clock. */
export type Said =
  | { readonly type: 'offer'; readonly sender: string; readonly handoffId: string; readonly target: string }
  | { readonly type: 'context'; readonly sender: string; readonly handoffId: string }
  | {
      readonly type: 'accept';
      readonly sender: string;
      readonly handoffId: string;
      readonly acceptedBy: string;
      readonly implicit: boolean;
    }
  | {
      readonly type: 'decline';
      readonly sender: string;
      readonly handoffId: string;
      readonly declinedBy: string;
    }
  | {
      readonly type: 'commit';
      readonly sender: string;
      readonly positive: boolean;
      readonly action: string;
      /** Whether mode, configuration and policy version are those of the session. */
      readonly versionsMatch: boolean;
    }
  | { readonly type: 'unknown'; readonly sender: string };

export type Message = Said | Control | { readonly type: 'expiry' } | { readonly type: 'silence' };

/** FORBIDDEN of a control call is PERMISSION_DENIED on gRPC; NOT_DUE is a move of the clock that is not possible. */
export type CodeClass = 'FORBIDDEN' | 'INVALID_ENVELOPE' | 'SESSION_NOT_OPEN' | 'NOT_DUE';
export type Verdict =
  | { readonly accept: true; readonly state: State }
  | { readonly accept: false; readonly codeClass: CodeClass };

type Of<T extends Said['type']> = Extract<Said, { readonly type: T }>;

const accepted = (state: State): Verdict => ({ accept: true, state });
const refused = (codeClass: CodeClass): Verdict => ({ accept: false, codeClass });

/** The owner is bound too when only others are listed. */
export function initial(
  participants: readonly string[],
  owner: string,
  rules: PolicyRules = DEFAULT_RULES,
): State {
  const all = participants.includes(owner) ? participants : [owner, ...participants];
  return { owner, participants: all, rules, phase: 'Open', offers: [], outcome: 'none' };
}

function mayCommit(state: State, sender: string): boolean {
  const { authority, designated } = state.rules;
  if (authority === 'designated_role') return designated.includes(sender);
  return sender === state.owner || (authority === 'any_participant' && state.participants.includes(sender));
}

function isMember(state: State, sender: string): boolean {
  const designated = state.rules.authority === 'designated_role' && state.rules.designated.includes(sender);
  return sender === state.owner || state.participants.includes(sender) || designated;
}

const find = (state: State, id: string) => state.offers.find((offer) => offer.id === id);
const has = (state: State, answer: Offer['answer']) => state.offers.some((offer) => offer.answer === answer);

function change(state: State, id: string, part: Partial<Offer>): Verdict {
  return accepted({
    ...state,
    offers: state.offers.map((offer) => (offer.id === id ? { ...offer, ...part } : offer)),
  });
}

function offer(state: State, message: Of<'offer'>): Verdict {
  const { sender, handoffId, target } = message;
  if (sender !== state.owner) return refused('FORBIDDEN');
  const impossible =
    handoffId === '' ||
    find(state, handoffId) !== undefined ||
    !state.participants.includes(target) ||
    target === sender ||
    has(state, 'pending') ||
    has(state, 'accepted') ||
    state.offers.some((earlier) => earlier.target === target && earlier.answer === 'declined');
  if (impossible) return refused('INVALID_ENVELOPE');
  const made: Offer = { id: handoffId, target, answer: 'pending', context: 'none' };
  return accepted({ ...state, offers: [...state.offers, made] });
}

function context(state: State, { sender, handoffId }: Of<'context'>): Verdict {
  const named = find(state, handoffId);
  if (named === undefined) return refused('INVALID_ENVELOPE');
  if (sender !== state.owner) return refused('FORBIDDEN');
  return change(state, handoffId, { context: named.answer === 'pending' ? 'on time' : 'late' });
}

function answer(state: State, message: Of<'accept'> | Of<'decline'>): Verdict {
  const { sender, handoffId } = message;
  const by = message.type === 'accept' ? message.acceptedBy : message.declinedBy;
  if (message.type === 'accept' && message.implicit) return refused('INVALID_ENVELOPE');
  const named = find(state, handoffId);
  if (named === undefined) return refused('INVALID_ENVELOPE');
  if (sender !== named.target) return refused('FORBIDDEN');
  if (by !== '' && by !== sender) return refused('INVALID_ENVELOPE');
  if (named.answer !== 'pending') return refused('INVALID_ENVELOPE');
  return change(state, handoffId, { answer: message.type === 'accept' ? 'accepted' : 'declined' });
}

function contradicts(action: string, positive: boolean): boolean {
  return positive
    ? /(rejected|failed|declined)$/.test(action)
    : /(selected|accepted|completed|approved)$/.test(action);
}

function isEligible(state: State, positive: boolean): boolean {
  if (has(state, 'pending')) return false;
  if (positive) return has(state, 'accepted');
  return !has(state, 'accepted') && (has(state, 'declined') || state.rules.allowNoTarget);
}

function commit(state: State, { sender, positive, action, versionsMatch }: Of<'commit'>): Verdict {
  if (!mayCommit(state, sender)) return refused('FORBIDDEN');
  const sound = action.trim() !== '' && versionsMatch && !contradicts(action, positive);
  if (!sound || !isEligible(state, positive)) return refused('INVALID_ENVELOPE');
  return accepted({ ...state, phase: 'Resolved', outcome: positive ? 'positive' : 'negative' });
}

function control(state: State, message: Control): Verdict {
  const { phase } = state;
  if (message.sender !== state.owner && !mayCommit(state, message.sender)) return refused('FORBIDDEN');
  const alive = phase === 'Open' || phase === 'Suspended';
  if (message.type === 'cancel') return accepted(alive ? { ...state, phase: 'Cancelled' } : state);
  const from = message.type === 'suspend' ? 'Open' : 'Suspended';
  if (phase !== from) return refused('SESSION_NOT_OPEN');
  return accepted({ ...state, phase: message.type === 'suspend' ? 'Suspended' : 'Open' });
}

/** Past its deadline an open session expires, past its cap a suspended one. */
function expiry(state: State): Verdict {
  const alive = state.phase === 'Open' || state.phase === 'Suspended';
  return alive ? accepted({ ...state, phase: 'Expired' }) : refused('NOT_DUE');
}

function silence(state: State): Verdict {
  const pending = state.offers.find((offer) => offer.answer === 'pending');
  const meaning = state.rules.silence;
  if (state.phase !== 'Open' || pending === undefined || meaning === 'nothing') return refused('NOT_DUE');
  return change(state, pending.id, { answer: meaning === 'accept' ? 'accepted' : 'declined' });
}

export function step(state: State, message: Message): Verdict {
  switch (message.type) {
    case 'expiry':
      return expiry(state);
    case 'silence':
      return silence(state);
    case 'cancel':
    case 'suspend':
    case 'resume':
      return control(state, message);
    case 'offer':
    case 'context':
    case 'accept':
    case 'decline':
    case 'commit':
    case 'unknown':
      return said(state, message);
  }
}

function said(state: State, message: Said): Verdict {
  if (!isMember(state, message.sender)) return refused('FORBIDDEN');
  if (state.phase !== 'Open') return refused('SESSION_NOT_OPEN');
  switch (message.type) {
    case 'offer':
      return offer(state, message);
    case 'context':
      return context(state, message);
    case 'accept':
    case 'decline':
      return answer(state, message);
    case 'commit':
      return commit(state, message);
    case 'unknown':
      return refused('INVALID_ENVELOPE');
  }
}

/** Equal keys mean equal states (of the same session: owner, participants and rules never change). */
export function stateKey(state: State): string {
  const offers = state.offers.map((offer) => [offer.id, offer.target, offer.answer, offer.context]);
  return JSON.stringify([state.phase, state.outcome, offers]);
}
