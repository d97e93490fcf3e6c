/** What was attacked, and where, in words that are true on every machine. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { THIS_CHECKOUT } from '../arena/target.js';

/** `this build (1234567)`, or version and commit of another checkout, such as `0.1.0 (eff3de6)`. */
export function buildName(checkout: string): string {
  return `${checkout === resolve(THIS_CHECKOUT) ? 'this build' : versionOf(checkout)} (${commitOf(checkout)})`;
}

function versionOf(checkout: string): string {
  const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string };
  return version;
}

const commitOf = (checkout: string): string =>
  `${git(checkout, ['rev-parse', '--short', 'HEAD'])}${isChanged(checkout) ? ' and changes' : ''}`;

/** The report itself changes while it is written. */
const isChanged = (checkout: string): boolean =>
  git(checkout, ['status', '--porcelain', '--untracked-files=no', '--', '.', ':!docs']) !== '';

const git = (checkout: string, args: readonly string[]): string =>
  execFileSync('git', ['-C', checkout, ...args], { encoding: 'utf8' }).trim();

export function machineName(): string {
  const [first] = cpus();
  const model = first?.model.replace(/\s+/g, ' ').trim() ?? 'unknown';
  return `${cpus().length} cores (${model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
}

export const today = (): string => new Date().toISOString().slice(0, 10);
