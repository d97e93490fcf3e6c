/**
 * One `handover serve` process that gets bad input, with everything that must stay true of it.
 *
 * S1. The process lives, and logs no error.
 * S2. A well-behaved client is served, and finds all that it was told.
 * S3. It holds less than 512 MB.
 * S4. In the end `handover verify` finds its folder whole, and a new process finds all that the client was told.
 */
import { readFileSync, rmSync } from 'node:fs';
import { HandoverProcess } from '../../kit/handover-process.js';
import { NO_RATE_LIMITS } from '../../kit/no-rate-limits.js';
import type { Flaw } from '../target.js';
import { endsWithUs, temporaryFolder } from '../temporary.js';
import { Canary } from './canary.js';
import { startHostileRpc } from './hostile-rpc.js';
import { Known } from './known.js';
import { callTool } from './mcp-wire.js';
import { bearerOf, type Mode, TOKENS } from './people.js';
import { ServerLog } from './server-log.js';
import type { ToolSchema } from './tool-arguments.js';

const MAX_RSS_KB = 512 * 1024;
const ENV = {
  ...NO_RATE_LIMITS,
  MCP_PUBLIC_HANDOFF_PER_HANDLE_PER_MINUTE: '1000000',
  MCP_PUBLIC_HANDOFF_PER_IP_PER_MINUTE: '1000000',
  // A request that never ends is to be answered while somebody waits for it.
  MACP_REQUEST_TIMEOUT_SECS: '5',
};

export class ServerUnderTest {
  readonly mode: Mode;
  readonly folder = temporaryFolder();
  readonly known = new Known();
  readonly canary = new Canary();
  /** As tools/list shows them. */
  tools: readonly ToolSchema[] = [];
  http = new URL('http://127.0.0.1');
  grpc = '';
  /** The most that the process held after any batch. */
  peakKb = 0;
  #process: HandoverProcess | undefined;
  #rpc: Awaited<ReturnType<typeof startHostileRpc>> | undefined;
  readonly #log = new ServerLog();

  constructor(mode: Mode) {
    this.mode = mode;
  }

  async start(): Promise<this> {
    const flags = ['--data-dir', this.folder, '--bind', '127.0.0.1:0', '--http-port', '0'];
    const dev = this.mode === 'dev' ? ['--dev'] : [];
    this.#rpc ??= await startHostileRpc();
    const env = {
      ...ENV,
      XGR_RPC_URL: this.#rpc.url,
      ...(this.mode === 'static' && { ...TOKENS, MACP_ALLOW_INSECURE: '1' }),
    };
    const started = new HandoverProcess(['serve', ...dev, ...flags, '--log-level', 'error'], { env });
    this.#process = started;
    endsWithUs(started.child);
    this.#log.listen(started);
    const { grpc, http } = await started.ready();
    this.grpc = grpc;
    this.http = new URL(http);
    return this;
  }

  get isAlive(): boolean {
    const child = this.#process?.child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  bearer(as: string): string | undefined {
    return bearerOf(this.mode, as);
  }

  /** What does not hold any more (S1 to S3). */
  async check(): Promise<readonly Flaw[]> {
    if (!this.isAlive) return [await this.#death()];
    await this.#takeBackSettings();
    const sung = await this.canary.sing(this);
    if (!this.isAlive) return [await this.#death()];
    const logged = this.#log.takeErrors().map((what): Flaw => ({ kind: 'logged', what }));
    return [...logged, ...this.#memory(), ...(sung ? [sung] : [])];
  }

  /** Ends the process, checks the folder and removes it (S4). */
  async close(): Promise<{ readonly note: string; readonly flaws: readonly Flaw[] }> {
    const wasAlive = this.isAlive;
    await this.#process?.stop();
    const verified = await this.#verify();
    const again = wasAlive ? await this.#lookAgain() : undefined;
    this.#rpc?.close();
    rmSync(this.folder, { recursive: true, force: true });
    const flaws = [verified, again].filter((flaw) => flaw !== undefined);
    const whole =
      flaws.length === 0
        ? 'verify found its folder whole, and a restart all that the canary was told'
        : 'flawed';
    return {
      note: `${this.mode} server: ${whole} in ${this.canary.rounds} rounds; at most ${Math.round(this.peakKb / 1024)} MB after a batch`,
      flaws,
    };
  }

  async #death(): Promise<Flaw> {
    const code = await this.#process?.exited;
    const signal = this.#process?.child.signalCode ?? '';
    return { kind: 'died', what: `the process ended with ${code} ${signal}:\n${this.#log.lastLines}` };
  }

  /** Settings that a case changed must not look like a fault. */
  async #takeBackSettings(): Promise<void> {
    const token = this.bearer('admin') ?? '';
    const shown = await callTool(this.http, token, 'getConfiguration', {}).catch(() => undefined);
    const changed =
      JSON.stringify(shown ?? {}).match(/"(?:limits|handoff|retention|server|monitoring)\.\w+"/g) ?? [];
    const updates = Object.fromEntries([...new Set(changed)].map((name) => [name.slice(1, -1), null]));
    await callTool(this.http, token, 'updateConfiguration', { updates }).catch(() => undefined);
  }

  #memory(): readonly Flaw[] {
    const status = readFileSync(`/proc/${this.#process?.child.pid}/status`, 'utf8');
    const kb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
    this.peakKb = Math.max(this.peakKb, kb);
    return kb > MAX_RSS_KB ? [{ kind: 'memory', what: `the process holds ${Math.round(kb / 1024)} MB` }] : [];
  }

  async #verify(): Promise<Flaw | undefined> {
    const verify = new HandoverProcess(['verify', this.folder]);
    const code = await verify.exited;
    return code === 0
      ? undefined
      : { kind: 'verify', what: `handover verify ended with ${code}: ${verify.stdout.slice(0, 2_000)}` };
  }

  async #lookAgain(): Promise<Flaw | undefined> {
    await this.start();
    const flaw = await this.canary.lookAtAll(this);
    await this.#process?.stop();
    return flaw;
  }
}
