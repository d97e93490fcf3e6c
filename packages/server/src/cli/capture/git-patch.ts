/**
 * What git has not committed, as a patch for whoever goes on: redacted, at most 256 KiB. Files whose names say that they
 * hold secrets are named and not shown, and so are those that a filter changes before they are committed: it may be there to
 * take secrets out. So it can be read, and mostly applied; it is no backup.
 *
 * Git is asked for the files that may be shown, one by one. If it were asked for all but the secret ones, a name that it
 * understands otherwise than we do would be shown.
 */
import { isSecretFile } from '@handover/core';
import { MAX_PATCH_BYTES } from '../../services/handoffs/capture-request.js';
import { cutBytes } from './cut.js';
import { PLAIN_DIFF } from './git-text.js';
import { openWorkTree, type WorkTree } from './git-work-tree.js';
import type { Redactor } from './redactor.js';

const EACH_MS = 1_000;
const MAX_PATH = 300;
const MAX_HIDDEN = 50;
/** They are arguments of a program. */
const MAX_SHOWN = 1_000;
const MAX_SHOWN_BYTES = 131_072;

/** Undefined where there is no git, no commit, or nothing that changed. */
export async function gitPatch(folder: string, redactor: Redactor): Promise<string | undefined> {
  const limits = { timeoutMs: EACH_MS };
  // A file that was renamed counts under both names, so that none of them slips through.
  const diff = ['diff', ...PLAIN_DIFF, '--no-renames'];
  const tree = await openWorkTree(folder, () => limits);
  const names = await tree?.git([...diff, '--name-only', '-z', 'HEAD'], limits);
  if (tree === undefined || names === undefined) return undefined;
  const paths = names.split('\0').filter((path) => path !== '');
  const shown = await withoutFiltered(shownOf(paths), tree);
  if (shown === undefined) return undefined;
  const wanted = [...shown].map((path) => `:(top,literal)${path}`);
  // Without a path git would show everything.
  const patch =
    wanted.length === 0 ? '' : await tree.git([...diff, 'HEAD', '--', ...wanted], { ...limits, cut: true });
  if (patch === undefined) return undefined;
  const hidden = paths.filter((path) => !shown.has(path));
  const text =
    hiddenLines(hidden, redactor) + redactor.whole(wholeLines(patch)).replace(UNPRINTABLE, '\ufffd');
  return text === '' ? undefined : cutBytes(`${text}\n`, MAX_PATCH_BYTES);
}

/** What is surely no secret, up to what git takes as arguments. */
function shownOf(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set(paths.flatMap(foldersAbove));
  const shown = new Set<string>();
  let bytes = 0;
  for (const path of paths) {
    // A file that became a folder: its name would stand for everything in there.
    if (isSecretFile(path) || isUnreadable(path) || folders.has(path)) continue;
    bytes += Buffer.byteLength(path);
    if (shown.size >= MAX_SHOWN || bytes > MAX_SHOWN_BYTES) break;
    shown.add(path);
  }
  return shown;
}

/** Undefined when git does not say which they are. */
async function withoutFiltered(
  paths: ReadonlySet<string>,
  { git, top, filters }: WorkTree,
): Promise<ReadonlySet<string> | undefined> {
  if (filters.size === 0 || paths.size === 0) return paths;
  const said = await git(['check-attr', '-z', 'filter', '--', ...paths], { timeoutMs: EACH_MS }, top);
  if (said === undefined) return undefined;
  const shown = new Set(paths);
  const fields = said.split('\0');
  // In threes: path, attribute, value.
  for (let at = 0; at + 2 < fields.length; at += 3)
    if (filters.has(fields[at + 2] ?? '')) shown.delete(fields[at] ?? '');
  return shown;
}

const foldersAbove = (path: string): readonly string[] =>
  [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));

/** What is not UTF-8 was read as this character; which name it is cannot be told. */
const isUnreadable = (path: string): boolean => path.includes('\ufffd');

function hiddenLines(hidden: readonly string[], redactor: Redactor): string {
  const lines = hidden
    .slice(0, MAX_HIDDEN)
    .map(
      (path) =>
        `# ${redactor.short(path.replace(/\p{Cc}+/gu, ' '), MAX_PATH)} has changed; it is not shown\n`,
    );
  const more = hidden.length - lines.length;
  return lines.join('') + (more > 0 ? `# and ${more} more\n` : '');
}

/** What stands in a line that was cut may be half a key. */
const wholeLines = (text: string): string => text.slice(0, text.lastIndexOf('\n') + 1);

const UNPRINTABLE = /[^\P{Cc}\t\n\r]/gu;
