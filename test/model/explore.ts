import {
  DEFAULT_RULES,
  initial,
  type Message,
  type PolicyRules,
  type State,
  stateKey,
  step,
  type Verdict,
} from './handoff-model.js';
import { type Cast, everyMessage } from './messages.js';

export const CAST: Cast = { owner: 'owner', targets: ['a', 'b'], outsiders: ['x'], handoffIds: ['h1', 'h2'] };

/** The policies under which the search is run. */
export const RULE_SETS: readonly (readonly [string, PolicyRules])[] = [
  ['the default policy', DEFAULT_RULES],
  ['any participant', { ...DEFAULT_RULES, authority: 'any_participant' }],
  ['a designated participant', { ...DEFAULT_RULES, authority: 'designated_role', designated: ['b'] }],
  ['a designated outsider', { ...DEFAULT_RULES, authority: 'designated_role', designated: ['x'] }],
  ['no target needed', { ...DEFAULT_RULES, allowNoTarget: true }],
  ['silence accepts', { ...DEFAULT_RULES, silence: 'accept' }],
  ['silence declines', { ...DEFAULT_RULES, silence: 'decline' }],
];

/** Called for every message in every state; `path` are the accepted messages that lead to the state. */
export type Check = (path: readonly Message[], state: State, message: Message, verdict: Verdict) => void;

export interface Explored {
  readonly states: number;
  readonly verdicts: number;
  readonly longestPath: number;
}

/**
 * Breadth-first search over all distinct states of the model. The first path found to a state is a shortest one, so a
 * disagreement is reported with the fewest messages that show it.
 */
export function explore(rules: PolicyRules, check: Check, cast: Cast = CAST): Explored {
  const messages = everyMessage(cast);
  const start = initial([cast.owner, ...cast.targets], cast.owner, rules);
  const seen = new Set([stateKey(start)]);
  const queue: { readonly path: readonly Message[]; readonly state: State }[] = [{ path: [], state: start }];
  let longestPath = 0;
  // The queue grows while it is walked.
  for (const { path, state } of queue) {
    longestPath = Math.max(longestPath, path.length);
    for (const message of messages) {
      const verdict = step(state, message);
      check(path, state, message, verdict);
      if (!verdict.accept || seen.has(stateKey(verdict.state))) continue;
      seen.add(stateKey(verdict.state));
      queue.push({ path: [...path, message], state: verdict.state });
    }
  }
  return { states: seen.size, verdicts: seen.size * messages.length, longestPath };
}
