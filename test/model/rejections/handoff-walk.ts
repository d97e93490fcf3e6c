import { CAST } from '../explore.js';
import {
  type Control,
  initial,
  type Message,
  type PolicyRules,
  type Said,
  type State,
  stateKey,
  step,
} from '../handoff-model.js';
import { everyMessage } from '../messages.js';
import { CONTROLS, SECOND_START, STATUSES, undecodable } from './mode-walk.js';
import type { Row, Walk } from './walk.js';

/** What the model leaves to others: a second start, and a payload that is none. */
export type Mistake =
  | { readonly type: 'start'; readonly sender: string }
  | { readonly type: 'garbled'; readonly of: string; readonly sender: string };
export type HandoffMove =
  | Said
  | Control
  | Mistake
  | { readonly type: 'expiry' }
  | { readonly type: 'silence' };
const TYPES = {
  offer: 'HandoffOffer',
  context: 'HandoffContext',
  accept: 'HandoffAccept',
  decline: 'HandoffDecline',
};
const EVERYBODY = [CAST.owner, ...CAST.targets, ...CAST.outsiders];
const mistakes: readonly Mistake[] = EVERYBODY.flatMap((sender) => [
  { type: 'start', sender } as const,
  ...[...Object.values(TYPES), 'Commitment'].map((of) => ({ type: 'garbled', of, sender }) as const),
]);
/** Silence comes first, so that what it leads to is reached by it. */
const silentFirst = (one: Message, other: Message) =>
  Number(other.type === 'silence') - Number(one.type === 'silence');

export function handoffWalk(rules: PolicyRules): Walk<State, HandoffMove> {
  return {
    initial: initial([CAST.owner, ...CAST.targets], CAST.owner, rules),
    moves: [...[...everyMessage(CAST)].sort(silentFirst), ...mistakes],
    step(state, move) {
      if (move.type === 'start') return { code: 'SESSION_ALREADY_EXISTS' };
      if (move.type === 'garbled') return { code: garbled(state, move) };
      const verdict = step(state, move);
      return verdict.accept ? { state: verdict.state } : { code: verdict.codeClass };
    },
    key: stateKey,
    closed: STATUSES,
    columns: ['nothing offered', 'offered', 'declined', 'offered again', 'accepted', ...STATUSES],
    column({ phase, offers }) {
      if (phase !== 'Open') return phase.toLowerCase();
      if (offers.some(({ answer }) => answer === 'accepted')) return 'accepted';
      const declined = offers.some(({ answer }) => answer === 'declined');
      if (offers.some(({ answer }) => answer === 'pending')) return declined ? 'offered again' : 'offered';
      return declined ? 'declined' : 'nothing offered';
    },
    row: (state, move) => (move.type === 'expiry' || move.type === 'silence' ? undefined : row(state, move)),
  };
}

/** The payload is read once it is known that the sender is a member, that the session is open, and who may send the type. */
function garbled(state: State, { of, sender }: Extract<Mistake, { type: 'garbled' }>): string {
  const form = { positive: true, action: ' ', versionsMatch: false };
  const asked =
    of === 'Commitment'
      ? ({ type: 'commit', sender, ...form } as const)
      : ({ type: 'unknown', sender } as const);
  const verdict = step(state, asked);
  if (verdict.accept) throw new Error(`the model takes ${JSON.stringify(asked)}`);
  const isOthersOffer = of === TYPES.offer && sender !== state.owner;
  return isOthersOffer && verdict.codeClass === 'INVALID_ENVELOPE' ? 'FORBIDDEN' : verdict.codeClass;
}

function roleOf({ rules: { designated } }: State, sender: string): string {
  if (sender === CAST.owner) return 'initiator';
  if (designated.includes(sender)) return 'who is designated';
  return CAST.targets.includes(sender) ? 'participant' : 'outsider';
}

function row(state: State, move: Said | Control | Mistake): Row {
  const sender = roleOf(state, move.sender);
  if (move.type === 'start') return { message: SECOND_START, sender };
  if (move.type === 'garbled') return { message: undecodable(move.of), sender };
  if (CONTROLS.some((control) => control === move.type)) return { message: move.type, sender };
  switch (move.type) {
    case 'offer': {
      const { handoffId, target } = move;
      const sound = handoffId !== '' && CAST.targets.includes(target) && target !== move.sender;
      const used = state.offers.some(({ id }) => id === handoffId);
      const declined = state.offers.some((offer) => offer.target === target && offer.answer === 'declined');
      const what = !sound
        ? ', without an id, or to nobody who is listed'
        : used
          ? ', id used'
          : declined
            ? ', to who has declined'
            : ', new';
      return { message: `HandoffOffer${what}`, sender };
    }
    case 'commit': {
      const outcome = move.positive ? 'positive' : 'negative';
      const fits = move.positive ? 'handoff.accepted' : 'handoff.declined';
      const sound = move.versionsMatch && [fits, 'handoff-done'].includes(move.action);
      return { message: `Commitment, ${sound ? outcome : 'against itself or the session'}`, sender };
    }
    case 'context':
    case 'accept':
    case 'decline':
      return aboutAnOffer(state, move, sender);
    default:
      return { message: 'any other type', sender };
  }
}

function aboutAnOffer(state: State, move: Extract<Said, { handoffId: string }>, role: string): Row {
  const type = TYPES[move.type];
  const offer = state.offers.find(({ id }) => id === move.handoffId);
  const by = move.type === 'accept' ? move.acceptedBy : move.type === 'decline' ? move.declinedBy : '';
  const implicit = move.type === 'accept' && move.implicit;
  const sender = offer?.target === move.sender && move.type !== 'context' ? 'target of the offer' : role;
  if (implicit) return { message: `${type}, called implicit`, sender: role };
  if (!offer) return { message: `${type}, unknown offer`, sender };
  if (by !== '' && by !== move.sender) return { message: `${type}, in another name`, sender };
  const answered = move.type !== 'context' && offer.answer !== 'pending';
  return { message: `${type}${answered ? ', answered offer' : ''}`, sender };
}
