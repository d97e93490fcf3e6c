/** Starts processes/attacker.ts and passes on what it reports. */
import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { TargetAddress } from './arena/target.js';
import type { Job, Report } from './processes/attacker.js';

const ATTACKER = fileURLToPath(new URL('./processes/attacker.ts', import.meta.url));
/** How long an attacker may take to end after it was told to. */
const GRACE_MS = 15_000;
const DISCONNECT_MS = 5_000;
const PROBE_MS = 300_000;

export interface Reported {
  readonly lines: readonly string[];
  readonly got: Readonly<Record<string, number>>;
}

/** The small form of an attack. */
export async function probe(
  row: string,
  checkout: string,
  onLine: (line: string) => void,
): Promise<Reported> {
  const attacker = new Attacker({ kind: 'probe', row, checkout }, onLine);
  await Promise.race([attacker.ended, sleep(PROBE_MS, undefined, { ref: false })]);
  return attacker.stop();
}

export class Attacker {
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  #got: Readonly<Record<string, number>> = {};

  constructor(job: Job, onLine: (line: string) => void = () => {}) {
    this.#child = fork(ATTACKER, { execArgv: ['--import', 'tsx'] });
    this.#child.on('message', (report: Report) => {
      if (report.kind === 'got') this.#got = report.got;
      else {
        this.#lines.push(report.line);
        onLine(report.line);
      }
    });
    // Not `close`: a message that a busy attacker never read would hold it back for ever.
    this.ended = new Promise((resolve) => this.#child.once('exit', () => resolve()));
    this.#child.send(job);
  }

  static atFullSize(row: string, target: TargetAddress): Attacker {
    return new Attacker({ kind: 'full', row, target });
  }

  async stop(): Promise<Reported> {
    if (this.#child.connected) this.#child.send({ kind: 'stop' } satisfies Job);
    await this.#endedWithin(GRACE_MS);
    // It ends its servers with itself, unless it is too busy to notice.
    if (this.#child.connected) this.#child.disconnect();
    await this.#endedWithin(DISCONNECT_MS);
    this.#child.kill('SIGKILL');
    await this.ended;
    return { lines: this.#lines, got: this.#got };
  }

  #endedWithin(ms: number): Promise<void> {
    return Promise.race([this.ended, sleep(ms, undefined, { ref: false })]);
  }
}
