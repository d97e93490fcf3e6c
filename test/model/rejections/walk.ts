/**
 * What a model answers, whole: every message from everybody in every state that can be reached, laid into a table of named states.
 * A cell holds each answer that occurs in it, and for each the shortest way there, which a server can then be asked.
 */
export interface Walk<State, Move> {
  readonly initial: State;
  readonly moves: readonly Move[];
  step(state: State, move: Move): { readonly state: State } | { readonly code: string };
  /** States with equal keys are one. */
  key(state: State): string;
  /** Every column, in order; `column` gives no other. */
  readonly columns: readonly string[];
  column(state: State): string;
  /** Columns in which no payload is read: there a row is asked about once. */
  readonly closed: readonly string[];
  /** Which row a move belongs to in this state; undefined: it is no message, as time is none. */
  row(state: State, move: Move): Row | undefined;
}

export interface Row {
  readonly message: string;
  /** Who sends it, by what they are in this state. */
  readonly sender: string;
}

export interface Witness<Move> {
  /** What was accepted before, from the start of the session. */
  readonly path: readonly Move[];
  readonly move: Move;
  readonly outcome: string;
}

/** Everything that the row stands for, once for each answer: there is more than one answer only where names do not tell everything. */
export type Cell<Move> = readonly Witness<Move>[];

export interface TableRow<Move> extends Row {
  readonly cells: ReadonlyMap<string, Cell<Move>>;
}

export function tableOf<State, Move>(walk: Walk<State, Move>): readonly TableRow<Move>[] {
  const rows: Rows<Move> = new Map();
  const seen = new Set([walk.key(walk.initial)]);
  const queue = [{ state: walk.initial, path: [] as readonly Move[] }];
  // The queue grows while it is walked.
  for (const { state, path } of queue)
    for (const move of walk.moves) {
      const verdict = walk.step(state, move);
      const row = walk.row(state, move);
      if (row) {
        const column = walk.column(state);
        const witness = { path, move, outcome: outcomeOf(verdict) };
        note(rows, row, column, witness, walk.closed.includes(column));
      }
      if ('code' in verdict || seen.has(walk.key(verdict.state))) continue;
      seen.add(walk.key(verdict.state));
      queue.push({ state: verdict.state, path: [...path, move] });
    }
  return [...rows.values()];
}

export const OK = 'ok';
const outcomeOf = (verdict: object): string => ('code' in verdict ? String(verdict.code) : OK);

/** What is said, whoever says it: the row names who that is. */
const saidBy = (move: unknown): string => JSON.stringify({ ...(move as object), sender: '' });

type Rows<Move> = Map<string, Row & { readonly cells: Map<string, Witness<Move>[]> }>;

function note<Move>(rows: Rows<Move>, row: Row, column: string, witness: Witness<Move>, once: boolean): void {
  const key = JSON.stringify(row);
  const cells: Map<string, Witness<Move>[]> = rows.get(key)?.cells ?? new Map();
  rows.set(key, { ...row, cells });
  const cell = cells.get(column) ?? [];
  cells.set(column, cell);
  const isKnown = (one: Witness<Move>) =>
    one.outcome === witness.outcome && (once || saidBy(one.move) === said);
  const said = saidBy(witness.move);
  if (!cell.some(isKnown)) cell.push(witness);
}
