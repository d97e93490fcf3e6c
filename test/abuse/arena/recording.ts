/** Reads what processes/loop-recorder.mjs writes inside the server. */
import { readFileSync } from 'node:fs';
import { until } from '../../kit/until.js';

interface Delays {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface RecordedLine {
  readonly at: number;
  readonly mark: boolean;
  readonly second: Delays;
  readonly sinceMark: Delays;
  /** Time since the mark in which the loop did not turn for more than 100 ms at a stretch. */
  readonly heldMs: number;
  /** The longest stretch since the mark in which the loop did not turn. */
  readonly longestMs: number;
  /** Share of the last second in which the loop was at work. */
  readonly used: number;
  readonly rss: number;
  readonly heapUsed: number;
}

/** Milliseconds. */
export interface LoopFigures {
  readonly p50: number;
  readonly p99: number;
  /** The longest stretch in which the loop did not turn. */
  readonly longestMs: number;
  /** All stretches above 100 ms together. */
  readonly heldMs: number;
}

/** The recorder writes a line a second. */
const LINE_MS = 1_000;
const HELD_MS = 100;
const PATIENCE = { timeoutMs: 180_000, everyMs: 50 };

export class Recording {
  readonly file: string;
  readonly #pid: number;

  constructor(file: string, pid: number) {
    this.file = file;
    this.#pid = pid;
  }

  lines(): readonly RecordedLine[] {
    try {
      const text = readFileSync(this.file, 'utf8');
      return text
        .split('\n')
        .filter((line) => line.endsWith('}'))
        .map((line) => JSON.parse(line) as RecordedLine);
    } catch {
      return [];
    }
  }

  /** From the last mark until now. A recorder that writes nothing is held, like everything else in its process. */
  sinceMark(): LoopFigures {
    const lines = this.lines();
    const last = lines.at(-1);
    if (!last) throw new Error('the server has recorded nothing');
    const silentMs = Math.max(0, Date.now() - last.at - LINE_MS);
    return {
      p50: last.sinceMark.p50,
      p99: last.sinceMark.p99,
      longestMs: Math.max(last.longestMs, silentMs),
      heldMs: last.heldMs + (silentMs > HELD_MS ? silentMs : 0),
    };
  }

  /** Collects the server's garbage and begins the figures anew. */
  async mark(): Promise<RecordedLine> {
    const marks = () => this.lines().filter(({ mark }) => mark);
    const before = marks().length;
    process.kill(this.#pid, 'SIGUSR2');
    return (await until(marks, (seen) => seen.length > before, PATIENCE)).at(-1) as RecordedLine;
  }

  /** The first line that was written from now on; it waits for a loop that is held. */
  async next(): Promise<RecordedLine> {
    const asked = Date.now();
    return (await until(
      () => this.lines().at(-1),
      (line) => line !== undefined && line.at > asked,
      PATIENCE,
    )) as RecordedLine;
  }
}
