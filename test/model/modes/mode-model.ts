/**
 * What every session has, whatever its mode, as a second reading: who is heard, who commits, what ends it. A model of a mode
 * adds its own part. Models share no code with the runtime; `mode-search.ts` compares the two.
 *
 * C1 an outsider is refused first, in any state.
 * C2 then the state: only an open session takes messages.
 * C3 then the mode. A Commitment: authority, the mode's readiness, the policy.
 */
export type Code = 'FORBIDDEN' | 'INVALID_ENVELOPE' | 'POLICY_DENIED' | 'SESSION_NOT_OPEN';

export interface Said {
  readonly type: string;
  readonly sender: string;
  /** By the names of the payload's properties; those left out have protobuf's defaults. */
  readonly fields: Readonly<Record<string, string | number | boolean | Uint8Array>>;
}

export interface ModeModel<State> {
  readonly mode: string;
  readonly owner: string;
  readonly participants: readonly string[];
  readonly rules: Readonly<Record<string, unknown>>;
  readonly schemaVersion: number;
  /** Who may commit. */
  readonly committers: readonly string[];
  readonly initial: State;
  /** Everything that is tried in every state, besides Commitments. */
  readonly messages: readonly Said[];
  /** The next state, or the refusal. The sender is a member and the session is open. */
  step(state: State, said: Said): State | Code;
  commit(state: State, positive: boolean): 'ok' | Code;
  /** The step of the mode in which a state is: what a picture of it shows. */
  phase(state: State): string;
  /** Equal keys mean states that no message can tell apart. */
  key(state: State): string;
  /** The same of what the runtime shows of its state. */
  keyOfView(view: unknown): string;
}

export interface Open<State> {
  readonly status: 'OPEN';
  readonly state: State;
}
export type Session<State> = Open<State> | { readonly status: 'RESOLVED'; readonly positive: boolean };

export type Verdict<State> = { readonly session: Session<State> } | { readonly code: Code };

export function keyOf<State>(model: ModeModel<State>, session: Session<State>): string {
  return session.status === 'OPEN' ? `OPEN ${model.key(session.state)}` : `RESOLVED ${session.positive}`;
}

export function judge<State>(model: ModeModel<State>, session: Session<State>, said: Said): Verdict<State> {
  const members = [model.owner, ...model.participants, ...model.committers];
  if (!members.includes(said.sender) || model.participants.length === 0) return { code: 'FORBIDDEN' };
  if (session.status !== 'OPEN') return { code: 'SESSION_NOT_OPEN' };
  if (said.type === 'Commitment') return judgeCommitment(model, session, said);
  const next = model.step(session.state, said);
  return isCode(next) ? { code: next } : { session: { status: 'OPEN', state: next } };
}

function judgeCommitment<State>(model: ModeModel<State>, { state }: Open<State>, said: Said): Verdict<State> {
  if (!model.committers.includes(said.sender)) return { code: 'FORBIDDEN' };
  const positive = said.fields.outcomePositive === true;
  const answer = model.commit(state, positive);
  return answer === 'ok' ? { session: { status: 'RESOLVED', positive } } : { code: answer };
}

const CODES: readonly unknown[] = ['FORBIDDEN', 'INVALID_ENVELOPE', 'POLICY_DENIED', 'SESSION_NOT_OPEN'];
const isCode = (value: unknown): value is Code => CODES.includes(value);

export function commitments(senders: readonly string[]): readonly Said[] {
  return senders.flatMap((sender) =>
    [true, false].map((outcomePositive) => ({ type: 'Commitment', sender, fields: { outcomePositive } })),
  );
}

/** Each message from each of the senders. */
export function fromEach(
  senders: readonly string[],
  type: string,
  fields: readonly Said['fields'][],
): readonly Said[] {
  return senders.flatMap((sender) => fields.map((each) => ({ type, sender, fields: each })));
}
