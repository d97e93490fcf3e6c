/** How what was installed stands today: each piece as it would be written now, against what is there. */
import type { Client, Scope } from './client.js';
import { identityOf, piecesOf, type ScopeFlags, wantedFor } from './options.js';
import { planPuts } from './plan-files.js';
import { planAdd } from './plan-part.js';
import type { Insertion } from './record.js';

export type State = 'ok' | 'missing' | 'outdated' | 'changed';

export interface Standing {
  readonly scope: Scope;
  readonly agent: string;
  readonly file: string;
  readonly what: string;
  readonly state: State;
}

const STATES = { same: 'ok', added: 'missing', replaced: 'outdated' } as const;

export function standingOf(
  client: Client,
  flags: ScopeFlags,
  known: readonly Insertion[],
): readonly Standing[] {
  const scopes = client.scopes.filter((scope) =>
    known.some((one) => one.client === client.name && one.scope === scope),
  );
  return scopes.flatMap((scope) => standingIn(client, { ...flags, scope }, known));
}

function standingIn(client: Client, flags: ScopeFlags, known: readonly Insertion[]): readonly Standing[] {
  const wanted = wantedFor(client, flags, known);
  const { scope } = wanted;
  const { agent } = wanted.launch;
  const who = identityOf(client, wanted);
  const isKnown = (file: string, place: string) =>
    known.some((one) => one.client === client.name && one.file === file && one.place === place);
  const pieces = piecesOf(client, wanted).filter(({ path, place }) => isKnown(path, place));
  const row = (file: string, what: string, state: State) => ({ scope, agent, file, what, state });
  const found = client.part?.(wanted);
  const part = found && isKnown(found.file, 'program') ? planAdd(found, who, known, wanted.env) : undefined;
  return [
    ...(part === undefined || found === undefined || isUnknowable(part)
      ? []
      : [row(found.file, 'MCP entry', stateOf(part))]),
    ...pieces.map((piece) => {
      const { changes, problems } = planPuts([piece], who, known);
      const state = changes[0]?.pieces[0]?.state;
      const now = problems.length > 0 || state === undefined ? 'changed' : stateOf({ state });
      return row(piece.path, piece.what, now);
    }),
  ];
}

type Planned = ReturnType<typeof planAdd> | { readonly state: string };

function stateOf(plan: Planned): State {
  if (!('state' in plan)) return 'changed';
  return STATES[plan.state as keyof typeof STATES] ?? 'changed';
}

/** What VS Code keeps for its user cannot be read from outside. */
const isUnknowable = (plan: Planned): boolean => 'part' in plan && plan.part.remove === undefined;
