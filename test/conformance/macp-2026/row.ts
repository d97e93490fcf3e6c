import type { RequirementId } from '../requirements.js';
import { type Ordinals, ordinalsOf } from './ordinals.js';

/**
 * One thing that the protocol's page of 2026 asks for. The page has no ids of its own, so `says` is in our words, and section and
 * ordinals are the page's (`page.ts` says what a statement is). Tests are found through the requirements.
 */
export interface PageRow {
  readonly section: string;
  /** The statements of the section that it stands for. */
  readonly ordinals: readonly number[];
  readonly says: string;
  /** What we do instead, where a decision goes another way. The tests of `by` show that. */
  readonly otherwise?: string;
  /** With `otherwise`: a file of docs/decisions, or words of section 0 of docs/spec/macp-2026.md. */
  readonly decision?: string;
  /** At least one: coverage.test.ts fails on a row that nothing shows. */
  readonly by: readonly RequirementId[];
}

type Shown = readonly [of: Ordinals, ...by: readonly RequirementId[]];
interface Instead {
  readonly of: Ordinals;
  readonly decision: string;
  readonly otherwise: string;
  readonly by: readonly RequirementId[];
}

export function section(number: string, rows: Readonly<Record<string, Shown | Instead>>): readonly PageRow[] {
  return Object.entries(rows).map(([says, shown]) => {
    if ('otherwise' in shown) {
      const { of, ...instead } = shown;
      return { section: number, ordinals: ordinalsOf(of), says, ...instead };
    }
    const [of, ...by] = shown;
    return { section: number, ordinals: ordinalsOf(of), says, by };
  });
}
