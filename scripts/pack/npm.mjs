import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** What npm says on stdout; an error with what it says on stderr when it fails. */
export function npm(args, cwd) {
  const shell = process.platform === 'win32';
  const run = spawnSync('npm', args, { cwd, encoding: 'utf8', shell, maxBuffer: 64 * 1024 * 1024 });
  if (run.status !== 0) throw new Error(`npm ${args[0]} failed\n${run.stderr}`);
  return run.stdout;
}

/** The path of the tarball that is made of a folder. */
export function npmPack(folder, out) {
  const said = npm(['pack', '--ignore-scripts', '--pack-destination', out], folder);
  return join(out, said.trim().split('\n').at(-1));
}
