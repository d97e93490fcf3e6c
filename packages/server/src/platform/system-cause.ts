/**
 * What the operating system refused, in words for the one who runs the server: the cause, and what to do about it. Codes
 * alone say too little, and the messages of Node name files and calls of ours.
 */
const CAUSES: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'the disk is full; free some space'],
  ['EDQUOT', 'the disk quota of this user is used up; free some space'],
  ['EACCES', 'this user has no permission; change its owner or its mode'],
  ['EPERM', 'this user has no permission; change its owner or its mode'],
  ['EROFS', 'the file system is read-only'],
  ['ENOENT', 'it does not exist'],
  ['ENOTDIR', 'a part of its path is a file'],
  ['EEXIST', 'there is a file of that name'],
  ['EISDIR', 'it is a folder, not a file'],
  ['ELOOP', 'its links lead in a circle'],
  ['ENAMETOOLONG', 'its path is too long'],
  ['EMFILE', 'this process has too many files open; raise the limit (ulimit -n)'],
  ['ENFILE', 'this machine has too many files open'],
  ['EIO', 'the disk reports an error; check it'],
]);

/** Undefined when it was not the system that refused. */
export function systemCause(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('syscall' in thrown) || !('code' in thrown)) return undefined;
  const code = String(thrown.code);
  return `${CAUSES.get(code) ?? 'the system refused'} (${code})`;
}
