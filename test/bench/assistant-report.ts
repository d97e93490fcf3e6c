/** The page that `npm run bench:assistants` leaves in docs/reports. */
import { cpus } from 'node:os';
import type { Span } from './spans.js';

export interface Figure extends Span {
  readonly what: string;
  /** Of the processor, in the middle: it depends little on what else the machine does. */
  readonly cpuMs: number;
  readonly targetMs?: number;
  readonly note?: string;
}

export interface Throughput {
  readonly connections: number;
  readonly echo: number;
  readonly update: number;
  readonly p99Ms: number;
}

export interface Measured {
  readonly rounds: number;
  /** Of the machine, when the run began and a while after it ended. */
  readonly load: { readonly start: number; readonly end: number };
  readonly figures: readonly Figure[];
  readonly throughput: readonly Throughput[];
}

const ms = (value: number): string => (value < 10 ? value.toFixed(1) : Math.round(value).toString());

/** Above it the times are those of the other processes. */
const MOST_LOAD = 1;

/** A machine that was quiet at one end only was not quiet. */
const verdict = ({ p95, targetMs }: Figure, { start, end }: Measured['load']): string => {
  if (targetMs === undefined) return '';
  if (Math.max(start, end) >= MOST_LOAD) return 'not judged';
  return p95 <= targetMs ? 'met' : `missed, ${(p95 / targetMs).toFixed(1)} times`;
};

export function assistantReport({ rounds, load, figures, throughput }: Measured): string {
  const bare = figures[0]?.p95 || 1;
  const row = (figure: Figure) => {
    const { what, median, p95, cpuMs, targetMs, note } = figure;
    const ratio = (p95 / bare).toFixed(1);
    const cells = [what, targetMs, ms(p95), ms(median), ratio, ms(cpuMs), verdict(figure, load), note];
    return `| ${cells.map((cell) => cell ?? '').join(' | ')} |`;
  };
  return [
    '# What an assistant waits for',
    '',
    'Written by `npm run bench:assistants`; do not edit.',
    '',
    `${rounds} rounds, Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), load ${load.start.toFixed(1)} at the start and ${load.end.toFixed(1)} at the end.`,
    'The command is the packed one. Targets hold for two cores with a load below 1, and are judged only where both are; on a busier',
    'machine read the ratio to bare `node` (`node -p 0`, from start to end) of the same run, and the time of the processor:',
    'of the process until it prints, of pipe and server together for the first row, of the server for calls.',
    '',
    '| what | target ms | p95 ms | median ms | p95 / bare node | processor ms | target | |',
    '| --- | ---: | ---: | ---: | ---: | ---: | --- | --- |',
    ...figures.map(row),
    '',
    '## `updateContext` beside a bare echo tool',
    '',
    'Over HTTP, each connection one call after the other, durable (SQLite, `synchronous=FULL`); the echo stores nothing.',
    '',
    '| connections | echo per second | `updateContext` per second | ratio | p99 ms |',
    '| ---: | ---: | ---: | ---: | ---: |',
    ...throughput.map(
      ({ connections, echo, update, p99Ms }) =>
        `| ${connections} | ${Math.round(echo)} | ${Math.round(update)} | ${(update / echo).toFixed(2)} | ${ms(p99Ms)} |`,
    ),
    '',
  ].join('\n');
}
