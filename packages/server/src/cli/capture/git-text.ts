/** The state of a working folder as one text: branch, commit, how far ahead, what has changed. */
import { openWorkTree } from './git-work-tree.js';
import type { Redactor } from './redactor.js';
import type { GitLimits } from './run-git.js';

const EACH_MS = 300;
const ALL_MS = 1_000;
const MAX_PATHS = 50;
const MAX_STAT_LINES = 40;
const MAX_SUBJECT = 200;
const MAX_PATH = 300;
/** Nothing configured for a folder is run to show it. */
export const PLAIN_DIFF = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-relative',
  '--ignore-submodules=all',
];

/** Undefined where there is no git, or no repository. */
export async function gitText(
  folder: string,
  redactor: Redactor,
  program?: string,
): Promise<string | undefined> {
  const end = performance.now() + ALL_MS;
  const limits = (): GitLimits => ({
    timeoutMs: Math.max(1, Math.min(EACH_MS, end - performance.now())),
    ...(program !== undefined && { program }),
  });
  const tree = await openWorkTree(folder, limits);
  const status = await tree?.git(
    ['status', '--porcelain=v2', '--branch', '-z', '--ignore-submodules=all', '--untracked-files=normal'],
    limits(),
  );
  if (tree === undefined || status === undefined) return undefined;
  const log = await tree.git(['log', '-1', '--no-show-signature', '--format=%h %s'], limits());
  const stat = await tree.git(['diff', ...PLAIN_DIFF, '--stat=100', 'HEAD'], limits());
  const { branch, ahead, paths } = readStatus(status);
  const lines = [
    `branch ${redactor.short(branch, MAX_SUBJECT)}${ahead}`,
    `HEAD ${redactor.short(log ?? 'none', MAX_SUBJECT)}`,
    counts(paths),
    ...paths
      .slice(0, MAX_PATHS)
      .map(({ code, path }) => `${code} ${redactor.short(oneLine(path), MAX_PATH)}`),
    ...(paths.length > MAX_PATHS ? [`and ${paths.length - MAX_PATHS} more`] : []),
    ...statLines(stat ?? '').map((line) => redactor.short(oneLine(line), MAX_PATH)),
  ];
  return lines.join('\n');
}

interface ChangedPath {
  readonly code: string;
  readonly path: string;
}

interface Status {
  readonly branch: string;
  readonly ahead: string;
  readonly paths: readonly ChangedPath[];
}

function readStatus(status: string): Status {
  const records = status.split('\0');
  const field = (name: string) =>
    records.find((record) => record.startsWith(`# branch.${name} `))?.slice(`# branch.${name} `.length);
  const [, ahead = '0', behind = '0'] = /^\+(\d+) -(\d+)$/.exec(field('ab') ?? '') ?? [];
  const far = field('ab') === undefined ? '' : `, ahead ${ahead}, behind ${behind}`;
  return { branch: field('head') ?? 'unknown', ahead: far, paths: changed(records) };
}

function changed(records: readonly string[]): readonly ChangedPath[] {
  const paths: ChangedPath[] = [];
  for (let at = 0; at < records.length; at++) {
    const record = records[at] ?? '';
    // In the order of git's own format: how many fields stand before the path.
    const fields = { '1': 8, '2': 9, u: 10, '?': 1 }[record[0] ?? ''];
    if (fields === undefined || record[1] !== ' ') continue;
    const words = record.split(' ');
    const code = record[0] === '?' ? '??' : (words[1] ?? '').replaceAll('.', ' ');
    paths.push({ code, path: words.slice(fields).join(' ') });
    // A renamed file has its old name in a record of its own.
    if (record[0] === '2') at += 1;
  }
  return paths;
}

function counts(paths: readonly ChangedPath[]): string {
  const untracked = paths.filter(({ code }) => code === '??').length;
  const staged = paths.filter(({ code }) => code !== '??' && code[0] !== ' ').length;
  const changedHere = paths.filter(({ code }) => code !== '??' && code[1] !== ' ').length;
  return paths.length === 0
    ? 'nothing changed'
    : `${changedHere} changed, ${staged} staged, ${untracked} untracked`;
}

/** The last line sums up, so it stays. */
function statLines(stat: string): readonly string[] {
  const lines = stat.split('\n').filter((line) => line.trim() !== '');
  if (lines.length <= MAX_STAT_LINES) return lines;
  return [...lines.slice(0, MAX_STAT_LINES - 1), lines.at(-1) ?? ''];
}

const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trimEnd();
