import type { FullRun } from '../full-run.js';
export function writeFullRuns(_runs: readonly FullRun[], _checkout: string): void {}
export function writeProbes(_probes: readonly object[]): void {}
