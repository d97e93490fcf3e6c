/** A second reading of the multi-round mode, from macp-2026 section 12. Rounds are counted up to a few. */
import { createHash } from 'node:crypto';
import { type Code, fromEach, type ModeModel, type Said } from './mode-model.js';

export interface State {
  readonly round: number;
  readonly values: Readonly<Record<string, string>>;
}

const PEERS = ['a', 'b', 'c'];
const VALUES = ['v', 'w'];
const ROUNDS = 6;
const SESSION = '9b2e7c1a-5d3f-4e8b-a1c2-d3e4f5a6b7c8';
const digest = (value: string) => createHash('sha256').update(`${SESSION}\u0000${value}`).digest('hex');

export function multiRoundModel(): ModeModel<State> {
  return {
    mode: 'ext.multi_round.v1',
    owner: 'owner',
    participants: PEERS,
    // It must have no effect.
    rules: { commitment: { authority: 'any_participant' } },
    schemaVersion: 1,
    committers: ['owner'],
    initial: { round: 0, values: {} },
    messages: [
      ...fromEach(
        ['owner', ...PEERS, 'x'],
        'Contribute',
        [...VALUES, ''].map((value) => ({ value })),
      ),
      ...fromEach(['owner', ...PEERS, 'x'], 'Unknown', [{}]),
    ],
    step,
    commit: (state) => (isConverged(state) ? 'ok' : 'INVALID_ENVELOPE'),
    phase: (state) => (isConverged(state) ? 'Converged' : 'Contributing'),
    key: ({ round, values }) =>
      JSON.stringify([
        Math.min(round, ROUNDS),
        Object.entries(values).sort(),
        isConverged({ round, values }),
      ]),
    keyOfView: (view) => {
      const { round, values, converged } = view as State & { readonly converged: boolean };
      const held = Object.entries(values).map(([name, hash]) => [
        name,
        VALUES.find((value) => digest(value) === hash) ?? hash,
      ]);
      return JSON.stringify([Math.min(round, ROUNDS), held.sort(), converged]);
    },
  };
}

function isConverged({ values }: State): boolean {
  return PEERS.every((name) => name in values) && new Set(Object.values(values)).size === 1;
}

function step(state: State, { type, sender, fields }: Said): State | Code {
  if (!PEERS.includes(sender)) return 'FORBIDDEN';
  const value = String(fields.value);
  // An empty value has no bytes.
  if (type !== 'Contribute' || value === '' || isConverged(state)) return 'INVALID_ENVELOPE';
  if (state.values[sender] === value) return state;
  return { round: state.round + 1, values: { ...state.values, [sender]: value } };
}
