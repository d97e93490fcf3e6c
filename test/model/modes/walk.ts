/** Every state of a model that messages can reach, breadth first: the first path found to a state is a shortest one. */
import {
  commitments,
  judge,
  keyOf,
  type ModeModel,
  mistakes,
  type Said,
  type Session,
  type Verdict,
} from './mode-model.js';

export interface Visit<State> {
  readonly session: Session<State>;
  readonly said: Said;
  readonly verdict: Verdict<State>;
  /** The accepted messages that lead to the session. */
  readonly path: readonly Said[];
}

const OUTSIDER = 'x';

/** Every message in every state. An ended session is one state: nothing in it matters any more. */
export function* walk<State>(model: ModeModel<State>): Generator<Visit<State>> {
  const everybody = [...new Set([model.owner, ...model.participants, ...model.committers, OUTSIDER])];
  const messages = [...model.messages, ...commitments(everybody), ...mistakes(model, everybody)];
  const start: Session<State> = { status: 'OPEN', state: model.initial };
  const queue = [{ session: start as Session<State>, path: [] as readonly Said[] }];
  const seen = new Set([keyOf(model, start)]);
  // The queue grows while it is walked.
  for (const { session, path } of queue)
    for (const said of messages) {
      const verdict = judge(model, session, said);
      yield { session, said, verdict, path };
      if ('code' in verdict || seen.has(keyOf(model, verdict.session))) continue;
      seen.add(keyOf(model, verdict.session));
      queue.push({ session: verdict.session, path: [...path, said] });
    }
}
