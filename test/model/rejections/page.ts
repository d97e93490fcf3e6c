/** The tables as a page for readers. Columns that say the same are one, and so are rows. */
import { CONTROLS, STATUSES } from './mode-walk.js';
import type { Table } from './table.js';
import { type Cell, OK } from './walk.js';

const HEAD = `# What is refused, and when

For each mode: what is answered to every message, in every state that a session can reach. The tables are computed from the
models in [\`test/model\`](../../test/model/README.md), a second reading of the [specification](../spec/README.md) that shares no code with the server;
a test asks a running server for each cell, over gRPC, before and after a restart. They are written by
\`npx vitest run test/model/rejections -u\`.

| | |
| --- | --- |
| **ok** | accepted |
| F | FORBIDDEN; where the call itself is refused: PERMISSION_DENIED |
| I | INVALID_ENVELOPE |
| N | SESSION_NOT_OPEN |
| D | POLICY_DENIED |
| E | SESSION_ALREADY_EXISTS |
| – | does not occur |

Undecodable is a payload that is no message of its type. An outsider is neither listed nor named by the policy. The initiator is listed in Proposal, Task and Handoff Mode; in the others
it is not. A message that was accepted before is a duplicate in any state; that is not shown here.`;

const LETTERS: Readonly<Record<string, string>> = {
  [OK]: '**ok**',
  FORBIDDEN: 'F',
  INVALID_ENVELOPE: 'I',
  SESSION_NOT_OPEN: 'N',
  POLICY_DENIED: 'D',
  SESSION_ALREADY_EXISTS: 'E',
};
const NONE = '–';

export function pageOf(tables: readonly Table[]): string {
  const modes = [...new Set(tables.map(({ mode }) => mode))];
  const sections = modes.map((mode) => {
    const own = tables.filter((table) => table.mode === mode);
    return [`## ${mode}`, ...own.map(section)].join('\n\n');
  });
  return `${[HEAD, callsOf(tables), ...sections].join('\n\n')}\n`;
}

interface Line {
  readonly message: string;
  readonly sender: string;
  readonly cells: readonly string[];
}

function section(table: Table): string {
  const under = table.under === undefined ? 'Under `policy.default`:' : `Under a policy for ${table.under}:`;
  const lines = linesOf(table).filter(({ message }) => !isCall(message));
  return `${under}\n\n${grid(table.columns, lines)}`;
}

const isCall = (message: string) => CONTROLS.some((control) => control === message);
const linesOf = ({ columns, rows }: Table): readonly Line[] =>
  rows.map(({ message, sender, cells }) => ({
    message,
    sender,
    cells: columns.map((column) => letters(cells.get(column))),
  }));
const letters = (cell: Cell<unknown> = []): string =>
  cell.length === 0 ? NONE : [...new Set(cell.map(({ outcome }) => LETTERS[outcome] ?? outcome))].join(' ');

/** They are the same in every mode and in every state of an open session. */
function callsOf(tables: readonly Table[]): string {
  const columns = ['open', ...STATUSES];
  const cells = new Map<string, Set<string>>();
  for (const table of tables)
    for (const { message, sender, cells: own } of linesOf(table))
      if (isCall(message))
        for (const [index, column] of table.columns.entries()) {
          const key = [message, sender, STATUSES.includes(column) ? column : 'open'].join('|');
          cells.set(key, new Set([...(cells.get(key) ?? []), own[index] ?? NONE]));
        }
  const senders = ['initiator', 'participant', 'outsider'];
  const lines = CONTROLS.flatMap((message) =>
    senders.map((sender) => ({
      message: `\`${message}\``,
      sender,
      cells: columns.map((column) => [...(cells.get([message, sender, column].join('|')) ?? [])].join(' ')),
    })),
  );
  return `## Calls, in every mode\n\n${grid(columns, lines)}`;
}

function grid(columns: readonly string[], lines: readonly Line[]): string {
  const narrow = narrowed(columns, lines);
  const messages = [...new Set(lines.map(({ message }) => message))].sort(
    (a, b) => place(lines, a) - place(lines, b),
  );
  const bodies = messages.map((message) => {
    const own = narrow.lines.filter((line) => line.message === message);
    const senders = merged(own.map(({ sender, cells }) => ({ name: sender, key: cells.join(' | ') })));
    return { name: message, key: senders.map(({ name, key }) => `${name} | ${key}`).join('\n') };
  });
  const body = merged(bodies, '; ').flatMap(({ name, key }) =>
    key.split('\n').map((line, index) => `| ${index === 0 ? name : ''} | ${line} |`),
  );
  const head = ['message', 'from', ...narrow.columns];
  return [`| ${head.join(' | ')} |`, `|${' --- |'.repeat(head.length)}`, ...body].join('\n');
}

/** Messages of one type stand together, in the order in which the types came. */
function place(lines: readonly Line[], message: string): number {
  const typeOf = (name: string) => name.split(',')[0];
  return lines.findIndex((line) => typeOf(line.message) === typeOf(message));
}

/** Columns that say the same become one; of sessions that are over also those that say nothing against it. */
function narrowed(columns: readonly string[], lines: readonly Line[]) {
  const kept: { name: string; cells: readonly string[] }[] = [];
  for (const [index, name] of columns.entries()) {
    const cells = lines.map((line) => line.cells[index] ?? NONE);
    const isOver = STATUSES.includes(name);
    const same = kept.find((other) =>
      other.cells.every(
        (cell, row) =>
          cell === cells[row] ||
          (isOver &&
            STATUSES.includes(other.name.split(' / ')[0] ?? '') &&
            [cell, cells[row]].includes(NONE)),
      ),
    );
    if (!same) kept.push({ name, cells });
    else {
      same.name = `${same.name} / ${name}`;
      same.cells = same.cells.map((cell, row) => (cell === NONE ? (cells[row] ?? NONE) : cell));
    }
  }
  return {
    columns: kept.map(({ name }) => name),
    lines: lines.map((line, row) => ({ ...line, cells: kept.map(({ cells }) => cells[row] ?? NONE) })),
  };
}

interface Named {
  readonly name: string;
  readonly key: string;
}

/** Those with the same key become one, in the place of the first. */
function merged(all: readonly Named[], between = ', '): readonly Named[] {
  const byKey = new Map<string, Named>();
  for (const one of all) {
    const known = byKey.get(one.key);
    byKey.set(one.key, known ? { ...known, name: `${known.name}${between}${one.name}` } : one);
  }
  return [...byKey.values()];
}
