/** An empty folder with a home of its own, in which nothing of the clone is found. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cleanEnv } from '../../kit/handover-process.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const INSTALL = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

export class CleanRoom {
  readonly #place = temporaryFolder();
  readonly folder = join(this.#place, 'empty');
  readonly #home = join(this.#place, 'home');

  constructor() {
    for (const folder of [this.folder, this.#home]) mkdirSync(folder);
    this.write('package.json', JSON.stringify({ name: 'user', private: true }));
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** What npm downloads is kept where it always is: the home is new for each run. */
  install(...packages: readonly string[]): void {
    const cache = spawnSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).stdout.trim();
    this.npm([...INSTALL, '--cache', cache, ...packages]);
  }

  npm(args: readonly string[]): string {
    const env = { ...process.env, HOME: this.#home };
    const run = spawnSync('npm', args, { cwd: this.folder, env, encoding: 'utf8' });
    if (run.status !== 0)
      throw new Error(`npm ${args[0]} ended with ${run.status}\n${run.stdout}${run.stderr}`);
    return run.stdout;
  }

  /** What a program says on stdout; an error with all it said when it fails. */
  node(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    return this.start(args, env).said;
  }

  /** The same of one that runs until it is told to stop. */
  start(args: readonly string[], env: Readonly<Record<string, string>>) {
    const options = { cwd: this.folder, env: cleanEnv({ ...env, HOME: this.#home }), timeout: 200_000 };
    const running = promisify(execFile)(process.execPath, args, options);
    return { said: running.then(({ stdout }) => stdout), stop: () => running.child.kill('SIGINT') };
  }
}
