/** What is refused, with which code and in which words: everything that the decider says in a search of its states. */
import type { Denial } from '@handover/core';
import { DenialCode } from '../../../packages/core/src/policy/evaluate.js';
import { codeCell, table, textCell } from '../tables.js';
import type { Refusal } from './moves.js';

export interface Refused {
  /** Empty: of any message. */
  readonly type: string;
  readonly code: string;
  readonly words: string;
}

export interface Denied extends Pick<Denial, 'code'> {
  readonly words: string;
}

export interface Refusals {
  readonly refused: readonly Refused[];
  readonly denied: readonly Denied[];
}

/**
 * `ids`: those of the search, which no page shows. `common`: in these words every mode refuses, and another page lists them.
 */
export function collect(
  refusals: Iterable<Refusal>,
  ids: readonly string[],
  common: (words: string) => boolean,
): Refusals {
  const refused = new Map<string, Refused>();
  const denied = new Map<string, Denied>();
  const named = new RegExp(`(?<![\\w.])(?:${ids.join('|')})(?![\\w.'])`, 'g');
  for (const { type, rejection } of refusals) {
    const { code, message, denials = [] } = rejection;
    for (const denial of denials) {
      const words = denial.message.replace(named, '…');
      if (!denied.has(denial.code)) denied.set(denial.code, { code: denial.code, words });
    }
    if (denials.length > 0 || common(message)) continue;
    const words = message.replace(named, '…');
    // Of texts that differ in numbers only the first one found stands for all.
    const key = `${type} ${code} ${words.replace(/\d+/g, '#')}`;
    if (!refused.has(key)) refused.set(key, { type, code, words });
  }
  return { refused: [...refused.values()], denied: [...denied.values()] };
}

/** One row for each text, with the types that it is said of. */
export function refusalTable({ refused }: Refusals, types: readonly string[]): string {
  const place = (type: string) => (types.includes(type) ? types.indexOf(type) : types.length);
  const rows = new Map<
    string,
    { readonly types: Set<string>; readonly code: string; readonly words: string }
  >();
  for (const { type, code, words } of refused) {
    const row = rows.get(`${code} ${words}`) ?? { types: new Set(), code, words };
    rows.set(`${code} ${words}`, row);
    row.types.add(type);
  }
  const placed = [...rows.values()].sort((a, b) =>
    a.types.size > 1 === b.types.size > 1
      ? Math.min(...[...a.types].map(place)) - Math.min(...[...b.types].map(place))
      : b.types.size - a.types.size,
  );
  return table(
    ['message', 'code', 'what the server says'],
    placed.map(({ types: of, code, words }) => [
      [...of]
        .sort((a, b) => place(a) - place(b))
        .map((type) => (types.includes(type) ? codeCell(type) : type))
        .join(', '),
      codeCell(code),
      textCell(words),
    ]),
  );
}

const CODES: readonly string[] = Object.values(DenialCode);

export function denialTable({ denied }: Refusals): string {
  return table(
    ['denial', 'what the server says'],
    denied
      .toSorted((a, b) => CODES.indexOf(a.code) - CODES.indexOf(b.code))
      .map(({ code, words }) => [codeCell(code), textCell(words)]),
  );
}
