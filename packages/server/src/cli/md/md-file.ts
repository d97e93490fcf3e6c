/**
 * A HANDOFF.md on disk. It comes with the project, so somebody else may have made it: a link could lead to a secret that
 * would be handed over, or to a file that would be overwritten. Links are not followed, and only a regular file is read or
 * replaced.
 */
import { closeSync, lstatSync, type Stats } from 'node:fs';
import { writeFileAtomic } from '../../platform/atomic-file.js';
import { NoPlainFile, openPlainFile, readUpTo } from '../../platform/plain-file.js';
import { systemCause } from '../../platform/system-cause.js';
import { type CommandFailure, notFound, refused } from '../conventions/failure.js';
import { isAsWritten } from './is-as-written.js';

/** More than any file of ours has. */
const OWN_BYTES = 1_048_576;

/** At most so many bytes; one more tells that there are more. */
export function readMdFile(path: string, maxBytes: number): Buffer {
  const { file } = within(path, () => openPlainFile(path, 'refused'));
  try {
    return readUpTo(file, maxBytes + 1);
  } finally {
    closeSync(file);
  }
}

/** Over nothing, or over a file that we wrote and nobody changed; over another one only when that is asked for. */
export function writeMdFile(path: string, text: string, force: boolean): void {
  const mayWrite = (): Stats | undefined => {
    const there = within(path, () => lstatSync(path, { throwIfNoEntry: false }));
    if (there?.isSymbolicLink()) throw isLink(path);
    if (there && !there.isFile()) throw noFile(path);
    if (there && !force) refuseOthersWords(path);
    return there;
  };
  const there = mayWrite();
  const mode = there && there.mode & 0o777;
  // Somebody may write it meanwhile.
  const options = { beforeRename: mayWrite, ...(mode !== undefined && { mode }) };
  within(path, () => writeFileAtomic(path, text, options));
}

function refuseOthersWords(path: string): void {
  const asWritten = isAsWritten(readMdFile(path, OWN_BYTES).toString('utf8'));
  if (asWritten === undefined)
    throw refused(`${path} was not written by "handover md export"`, '--force overwrites it');
  if (!asWritten)
    throw refused(
      `${path} was edited after "handover md export" wrote it`,
      '"handover md import" hands the edits over; --force overwrites them',
    );
}

const isLink = (path: string): CommandFailure =>
  refused(`${path} is a link, which is not followed`, 'Name the file itself');

const noFile = (path: string): CommandFailure => refused(`${path} is no regular file`);

function within<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    if (cause instanceof NoPlainFile) throw noFile(path);
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ELOOP') throw isLink(path);
    if (code === 'ENOENT') throw notFound(`there is no ${path}`);
    const why = systemCause(cause);
    throw why === undefined ? cause : refused(`${path}: ${why}`, '', cause);
  }
}
