import type { RequirementId } from '../requirements.js';

/**
 * One thing that the protocol's page of 2026 asks for. The page has no ids of its own, so `says` is in our words, and the section
 * number is the page's. Tests are found through the requirements.
 */
export interface PageRow {
  readonly section: string;
  readonly says: string;
  /** What we do instead, where a decision goes another way. The tests of `by` show that. */
  readonly otherwise?: string;
  /** At least one: coverage.test.ts fails on a row that nothing shows. */
  readonly by: readonly RequirementId[];
}

type Shown = readonly RequirementId[];
type Instead = { readonly otherwise: string; readonly by: Shown };

export function section(number: string, rows: Readonly<Record<string, Shown | Instead>>): readonly PageRow[] {
  return Object.entries(rows).map(([says, shown]) =>
    'otherwise' in shown ? { section: number, says, ...shown } : { section: number, says, by: shown },
  );
}
