/** Packages that 0.1.0 wrote: a summary in lists, of notes alone. They are read, and no longer made. */

export const PACKAGE_V1 = 'handover-package@1';

export type PackageSummary = {
  readonly text: string;
  readonly goal: readonly string[];
  readonly decisions: readonly string[];
  readonly done: readonly string[];
  readonly open: readonly string[];
  readonly files: readonly string[];
  readonly next: readonly string[];
  readonly tokenBudget: number;
  readonly tokens: number;
  /** What did not fit, by section. */
  readonly omitted: Readonly<Record<string, number>>;
};
