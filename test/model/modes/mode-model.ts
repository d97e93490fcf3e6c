/**
 * What every session has, whatever its mode, as a second reading: who is heard, who commits, what ends it. A model of a mode
 * adds its own part. Models share no code with the runtime; `mode-search.ts` compares the two.
 *
 * C0 a session is started once: another start is refused, whoever sends it, in any state.
 * C1 an outsider is refused first, in any state.
 * C2 then the state: only an open session takes messages.
 * C3 then who may send the type, before the payload is read.
 * C4 then the mode. A Commitment: authority, the mode's readiness, the policy.
 */
export type Code =
  | 'FORBIDDEN'
  | 'INVALID_ENVELOPE'
  | 'POLICY_DENIED'
  | 'SESSION_ALREADY_EXISTS'
  | 'SESSION_NOT_OPEN';

/** POLICY_DENIED, with the codes of its reasons in their order. */
export class Denied {
  readonly codes: readonly string[];
  constructor(...codes: readonly string[]) {
    this.codes = codes;
  }
}

/** Why a mode or its policy says no. */
export type Refusal = Exclude<Code, 'POLICY_DENIED'> | Denied;

export interface Said {
  readonly type: string;
  readonly sender: string;
  /** By the names of the payload's properties; those left out have protobuf's defaults. */
  readonly fields: Readonly<Record<string, string | number | boolean | Uint8Array>>;
  /** Its payload is no payload at all. */
  readonly garbled?: true;
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
  /** Whether a member may send messages of this type at all; asked before the payload is read. */
  hears(type: string, sender: string): boolean;
  /** The next state, or the refusal. The sender is heard and the session is open. */
  step(state: State, said: Said): State | Refusal;
  commit(state: State, positive: boolean): 'ok' | Refusal;
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

export interface Refused {
  readonly code: Code;
  /** With POLICY_DENIED. */
  readonly denials?: readonly string[];
}
export type Verdict<State> = { readonly session: Session<State> } | Refused;

export function keyOf<State>(model: ModeModel<State>, session: Session<State>): string {
  return session.status === 'OPEN' ? `OPEN ${model.key(session.state)}` : `RESOLVED ${session.positive}`;
}

/** Where nobody is listed, nobody is heard. */
export const isMember = <State>(
  { owner, participants, committers }: ModeModel<State>,
  name: string,
): boolean => participants.length > 0 && [owner, ...participants, ...committers].includes(name);

export function judge<State>(model: ModeModel<State>, session: Session<State>, said: Said): Verdict<State> {
  if (said.type === 'SessionStart') return { code: 'SESSION_ALREADY_EXISTS' };
  if (!isMember(model, said.sender)) return { code: 'FORBIDDEN' };
  if (session.status !== 'OPEN') return { code: 'SESSION_NOT_OPEN' };
  if (said.type === 'Commitment') return judgeCommitment(model, session, said);
  if (!model.hears(said.type, said.sender)) return { code: 'FORBIDDEN' };
  if (said.garbled) return { code: 'INVALID_ENVELOPE' };
  const next = model.step(session.state, said);
  return isRefusal(next) ? refused(next) : { session: { status: 'OPEN', state: next } };
}

function judgeCommitment<State>(model: ModeModel<State>, { state }: Open<State>, said: Said): Verdict<State> {
  if (!model.committers.includes(said.sender)) return { code: 'FORBIDDEN' };
  if (said.garbled) return { code: 'INVALID_ENVELOPE' };
  const positive = said.fields.outcomePositive === true;
  const answer = model.commit(state, positive);
  return answer === 'ok' ? { session: { status: 'RESOLVED', positive } } : refused(answer);
}

/** States are objects of their own. */
const isRefusal = (value: unknown): value is Refusal => typeof value === 'string' || value instanceof Denied;
const refused = (refusal: Refusal): Refused =>
  refusal instanceof Denied ? { code: 'POLICY_DENIED', denials: refusal.codes } : { code: refusal };

/** What anybody may send in every mode and must not: a second start, and each type of the mode with a payload that is none. */
export function mistakes<State>(
  { messages }: Pick<ModeModel<State>, 'messages'>,
  senders: readonly string[],
): readonly Said[] {
  const types = new Set([...messages.map(({ type }) => type), 'Commitment']);
  types.delete('Unknown');
  return senders.flatMap((sender) => [
    { type: 'SessionStart', sender, fields: {} },
    ...[...types].map((type) => ({ type, sender, fields: {}, garbled: true as const })),
  ]);
}

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
