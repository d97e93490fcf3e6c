/** Where a token is, as `--token` and HANDOVER_TOKEN name it. This file loads nothing of ours: hooks start with it. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** `@~/.config/handover/token`: the path, with the home folder written out. Undefined: it is no `@` and a file. */
export function tokenPlace(value: string): string | undefined {
  if (!value.startsWith('@') || value === '@') return undefined;
  const path = value.slice(1);
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : resolve(path);
}
