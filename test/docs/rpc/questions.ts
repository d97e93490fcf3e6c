/** Requests of all sorts for each call, to find every code with which it can be refused. */
import { type MethodKey, methods } from '@handover/wire';
import type { Caller, Sessions } from './world.js';

const CALLERS: readonly Caller[] = ['initiator', 'participant', 'outsider', 'observer', 'manager'];
const CANDIDATE = { mode: '*', schema_version: 9, rules: {} };

/** A call takes of each what it knows. */
const bodies = (session_id: string): readonly object[] => [
  { session_id },
  { session_id, page_size: -1, agent_id: 'x', policy_id: 'x', mode: 'x', candidate: CANDIDATE },
  {
    session_id,
    page_token: 'x',
    candidate: { ...CANDIDATE, schema_version: 1 },
    supported_protocol_versions: ['9'],
  },
  {
    session_id,
    policy_descriptor: CANDIDATE,
    mode_descriptor: {},
    policy_id: 'policy.default',
    promoted_mode_name: 'x',
  },
];

export interface Question {
  readonly key: MethodKey;
  readonly caller: Caller;
  readonly body: object;
}

/** What changes sessions comes last, and what ends them at the very end. */
const LAST: readonly MethodKey[] = ['suspendSession', 'resumeSession', 'cancelSession'];

export function questions(keys: readonly MethodKey[], sessions: Sessions): readonly Question[] {
  return keys
    .toSorted((a, b) => LAST.indexOf(a) - LAST.indexOf(b))
    .flatMap((key) => {
      const fields = new Set(methods[key].input.fields.map(({ name }) => name));
      const known = Object.values(sessions)
        .flatMap(bodies)
        .map((body) => Object.fromEntries(Object.entries(body).filter(([field]) => fields.has(field))));
      const different = [...new Set(known.map((body) => JSON.stringify(body)))];
      return CALLERS.flatMap((caller) =>
        different.map((body) => ({ key, caller, body: JSON.parse(body) as object })),
      );
    });
}
