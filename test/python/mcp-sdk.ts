/**
 * Clients of the official Python SDK, 1.x and 2.x, as MCP clients of these tests: each in a process of its own
 * (mcp_driver.py), which starts the server as an assistant would.
 */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cleanEnv } from '../kit/handover-process.js';
import { until } from '../kit/until.js';
import { pythonInterpreter } from './run-python.js';

export const PYTHON_SDKS = ['1.30.*', '2.3.*'] as const;
export type PythonSdk = (typeof PYTHON_SDKS)[number];

const INSTALL_MS = 300_000;
const DRIVER = fileURLToPath(new URL('mcp_driver.py', import.meta.url));

/** Undefined where there is no Python and none is required. Two test files may ask at once: one installs, the other waits. */
export async function pythonSdk(sdk: PythonSdk): Promise<PythonPlace | undefined> {
  const interpreter = await pythonInterpreter();
  if (interpreter === undefined) return undefined;
  const folder = join(dirname(dirname(interpreter)), `mcp-${sdk.split('.')[0]}`);
  const [done, claim] = [join(folder, `.${sdk.replace('*', 'x')}`), `${folder}.lock`];
  const isMine = () => {
    try {
      // Whoever made one that is so old has died.
      if (existsSync(claim) && Date.now() - statSync(claim).mtimeMs > INSTALL_MS) rmdirSync(claim);
      mkdirSync(claim);
      return true;
    } catch {
      return false;
    }
  };
  await until(() => existsSync(done) || isMine(), Boolean, { timeoutMs: INSTALL_MS, everyMs: 200 });
  if (!existsSync(done))
    try {
      rmSync(folder, { recursive: true, force: true });
      const flags = ['--quiet', '--disable-pip-version-check', '--target', folder];
      await promisify(execFile)(interpreter, ['-m', 'pip', 'install', ...flags, `mcp==${sdk}`]);
      writeFileSync(done, '');
    } finally {
      rmSync(claim, { recursive: true, force: true });
    }
  return { interpreter, folder };
}

export interface PythonPlace {
  readonly interpreter: string;
  /** Where its packages are. */
  readonly folder: string;
}

type Line = {
  readonly id?: number;
  readonly value?: unknown;
  readonly error?: string;
  readonly updated?: string;
};

export class PythonClient {
  /** Addresses of which it was told that they changed. */
  readonly heard: string[] = [];
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, (line: Line) => void>();
  #last = 0;

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as Line;
      if (line.updated !== undefined) this.heard.push(line.updated);
      else this.#waiting.get(line.id ?? -1)?.(line);
    });
    child.once('close', () => {
      for (const end of this.#waiting.values()) end({ error: 'the client has ended' });
    });
  }

  static async connect(
    { interpreter, folder }: PythonPlace,
    command: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<PythonClient> {
    const child = spawn(interpreter, [DRIVER, ...command], { env: cleanEnv({ ...env, PYTHONPATH: folder }) });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(-2_000);
    });
    const client = new PythonClient(child);
    await client.#answer(0).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${stderr}`);
    });
    return client;
  }

  listTools(): Promise<readonly string[]> {
    return this.#ask({ do: 'tools' }) as Promise<readonly string[]>;
  }

  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown> {
    return this.#ask({ do: 'call', ...call });
  }

  async follow(uri: string): Promise<void> {
    await this.#ask({ do: 'follow', uri });
  }

  async close(): Promise<void> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return;
    const closed = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.stdin.end();
    await closed;
  }

  #ask(request: Readonly<Record<string, unknown>>): Promise<unknown> {
    const id = ++this.#last;
    const answer = this.#answer(id);
    this.#child.stdin.write(`${JSON.stringify({ ...request, id })}\n`);
    return answer;
  }

  #answer(id: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ value, error }) => {
        this.#waiting.delete(id);
        if (error === undefined) resolve(value);
        else reject(new Error(error));
      });
    });
  }
}
