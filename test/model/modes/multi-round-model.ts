/** A second reading of the multi-round mode, from macp-2026 section 12. Rounds are counted up to a few. */
import { createHash } from 'node:crypto';
import { fromEach, type ModeModel, type Refusal, type Said } from './mode-model.js';

export interface State {
  readonly round: number;
  readonly values: Readonly<Record<string, string>>;
}

const PEERS = ['a', 'b', 'c'];
const VALUES = ['v', 'w'];
const ROUNDS = 6;
const SESSION = '9b2e7c1a-5d3f-4e8b-a1c2-d3e4f5a6b7c8';
const digest = (value: string) => createHash('sha256').update(`${SESSION}\u0000${value}`).digest('hex');

export function multiRoundModel(peers: readonly string[] = PEERS): ModeModel<State> {
  return {
    mode: 'ext.multi_round.v1',
    owner: 'owner',
    participants: peers,
    // It must have no effect.
    rules: { commitment: { authority: 'any_participant' } },
    schemaVersion: 1,
    committers: ['owner'],
    initial: { round: 0, values: {} },
    messages: [
      ...fromEach(
        ['owner', ...peers, 'x'],
        'Contribute',
        [...VALUES, ''].map((value) => ({ value })),
      ),
      ...fromEach(['owner', ...peers, 'x'], 'Unknown', [{}]),
    ],
    hears: (_, sender) => peers.includes(sender),
    step: (state, said) => step(state, said, peers),
    commit: (state) => (isConverged(state, peers) ? 'ok' : 'INVALID_ENVELOPE'),
    phase: (state) => (isConverged(state, peers) ? 'Converged' : 'Contributing'),
    key: ({ round, values }) =>
      JSON.stringify([
        Math.min(round, ROUNDS),
        Object.entries(values).sort(),
        isConverged({ round, values }, peers),
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

function isConverged({ values }: State, peers: readonly string[]): boolean {
  return peers.every((name) => name in values) && new Set(Object.values(values)).size === 1;
}

function step(state: State, { type, sender, fields }: Said, peers: readonly string[]): State | Refusal {
  const value = String(fields.value);
  // An empty value has no bytes.
  if (type !== 'Contribute' || value === '' || isConverged(state, peers)) return 'INVALID_ENVELOPE';
  if (state.values[sender] === value) return state;
  return { round: state.round + 1, values: { ...state.values, [sender]: value } };
}
