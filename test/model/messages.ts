import type { Message } from './handoff-model.js';

export interface Cast {
  readonly owner: string;
  readonly targets: readonly string[];
  /** Somebody who is no participant (but whom a policy may designate). */
  readonly outsiders: readonly string[];
  readonly handoffIds: readonly string[];
}

/** An id that is never offered. */
const NO_OFFER = 'h-none';
const ACTIONS = ['handoff.accepted', 'handoff.declined', 'handoff-done', ' '];
const BOTH = [true, false];

/**
 * Every message that anybody could send: every sender, type, offer id, target, name in the answer, and commitment.
 * The list does not depend on the state.
 */
export function everyMessage(cast: Cast): readonly Message[] {
  const inside = [cast.owner, ...cast.targets];
  const senders = [...inside, ...cast.outsiders];
  return [
    ...senders.flatMap((sender) => [
      ...offers(sender, cast, senders),
      ...answersAndContexts(sender, cast, inside),
      ...commitments(sender),
      { type: 'unknown', sender } as const,
      ...(['cancel', 'suspend', 'resume'] as const).map((type) => ({ type, sender })),
    ]),
    { type: 'expiry' },
    { type: 'silence' },
  ];
}

function offers(sender: string, cast: Cast, everybody: readonly string[]): readonly Message[] {
  return ['', ...cast.handoffIds].flatMap((handoffId) =>
    ['', ...everybody].map((target) => ({ type: 'offer', sender, handoffId, target }) as const),
  );
}

function answersAndContexts(sender: string, cast: Cast, inside: readonly string[]): readonly Message[] {
  const another = inside.find((name) => name !== sender) ?? '';
  return ['', NO_OFFER, ...cast.handoffIds].flatMap((handoffId) => [
    { type: 'context', sender, handoffId } as const,
    ...['', sender, another].flatMap((by) => [
      ...BOTH.map((implicit) => ({ type: 'accept', sender, handoffId, acceptedBy: by, implicit }) as const),
      { type: 'decline', sender, handoffId, declinedBy: by } as const,
    ]),
  ]);
}

function commitments(sender: string): readonly Message[] {
  return BOTH.flatMap((positive) =>
    ACTIONS.flatMap((action) =>
      BOTH.map((versionsMatch) => ({ type: 'commit', sender, positive, action, versionsMatch }) as const),
    ),
  );
}
