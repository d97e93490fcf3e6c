/**
 * Whether a session counts for a step (review:C3, review:C4). A node says of a session that it is there, and whose it is,
 * and neither when it began nor what it is about. So its owner must be bound, and its number must have been free when
 * that owner was bound: numbers of an owner are given once, in order.
 */
import { asksOf } from './effect.js';
import type { AskState, BoundBy, OperationState } from './state.js';

export type SessionStanding =
  | { readonly is: 'new'; readonly boundBy: BoundBy }
  /** Nobody named its owner, and no wallet of its owner was asked. */
  | { readonly is: 'unbound' }
  /** It was there before. */
  | { readonly is: 'old' }
  /** The node did not say in time which sessions there were. */
  | { readonly is: 'ageless' };

export interface NamedSession {
  readonly owner: string;
  readonly sessionId: string;
}

type Bound = Pick<OperationState, 'signer' | 'nextSession' | 'asks'>;

export function sessionStanding(
  state: Bound,
  step: { readonly id: string },
  session: NamedSession,
): SessionStanding {
  const { owner, sessionId } = session;
  const { signer, nextSession } = state;
  if (signer !== undefined && signer !== owner) return { is: 'unbound' };
  const asks = asksOf(state.asks, step).filter(({ account }) => account === owner);
  if (signer === undefined && asks.length === 0) return { is: 'unbound' };
  const numbers = [...(signer === owner ? [nextSession] : []), ...asks.map((ask) => ask.nextSession)];
  const known = numbers.filter((next) => next !== undefined);
  const isNew = known.some((next) => !isBefore(sessionId, next)) || asks.some((ask) => isFresh(ask, session));
  if (isNew) return { is: 'new', boundBy: signer === owner ? 'expected_signer' : 'ask' };
  return { is: known.length > 0 ? 'old' : 'ageless' };
}

/** Numbers of sessions have up to 78 digits. */
export const isBefore = (sessionId: string, next: string): boolean => BigInt(sessionId) < BigInt(next);

const isFresh = ({ session }: AskState, { owner, sessionId }: NamedSession): boolean =>
  session?.fresh === true && session.owner === owner && session.sessionId === sessionId;

/** The session that was signed for can have no other number: it is the one that the node itself named as the next. */
export const hasKnownSession = ({
  session,
  nextSession,
}: Pick<AskState, 'session' | 'nextSession'>): boolean =>
  session !== undefined && session.sessionId === nextSession;
