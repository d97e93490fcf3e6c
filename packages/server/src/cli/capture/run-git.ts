/**
 * Runs git without letting it do more than look: no locks, no hooks, no file watcher, no pager, no questions, nothing
 * fetched. It has its own process group, so that a git that hangs ends with everything that it started.
 */
import { spawn } from 'node:child_process';

const LOOK_ONLY = ['--no-optional-locks', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
const MAX_OUTPUT_BYTES = 1_048_576;

export interface GitLimits {
  readonly timeoutMs: number;
  /** The program; tests name another. */
  readonly program?: string;
  /** Of more than 1 MiB the beginning; else that counts as a failure. */
  readonly cut?: boolean;
}

/** What git says, or undefined when it fails, is not there or takes too long. */
export function runGit(cwd: string, args: readonly string[], limits: GitLimits): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(limits.program ?? 'git', [...LOOK_ONLY, ...args], {
      cwd,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: gitEnv(process.env),
    });
    const pieces: Buffer[] = [];
    let bytes = 0;
    let over = false;
    const end = (result: string | undefined) => {
      clearTimeout(late);
      if (!over) killGroup(child.pid);
      over = true;
      child.stdout.destroy();
      resolve(result);
    };
    const late = setTimeout(() => end(undefined), limits.timeoutMs);
    child.stdout.on('data', (piece: Buffer) => {
      bytes += piece.length;
      pieces.push(piece);
      if (bytes > MAX_OUTPUT_BYTES) end(limits.cut ? textOf(pieces) : undefined);
    });
    child.on('error', () => end(undefined));
    child.on('close', (code) => {
      over = true;
      end(code === 0 ? textOf(pieces) : undefined);
    });
  });
}

const textOf = (pieces: readonly Buffer[]): string => Buffer.concat(pieces).toString('utf8');

/** A hook may run inside a hook of git, which names its own repository and index here. */
function gitEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('GIT_'));
  return {
    ...Object.fromEntries(others),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    // What a partial clone lacks is fetched by programs that its configuration names. Older versions of git know only the
    // second of these.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    LC_ALL: 'C',
  };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
