/** The page that `npm run bench:sdk` leaves in docs/reports. */
import { cpus, loadavg } from 'node:os';
import type { SdkRow } from './sdk.js';

export interface SdkRun {
  readonly secondsPerRow: number;
  /** The load of the machine when the run began. */
  readonly load: number;
  readonly rows: readonly SdkRow[];
}

export function sdkReport({ secondsPerRow, load, rows }: SdkRun): string {
  const line = ({ name, concurrency, perSecond, p50Ms, p99Ms }: SdkRow) => {
    const bare = rows.find((row) => row.concurrency === concurrency)?.perSecond || 1;
    const ratio = (perSecond / bare).toFixed(2);
    const cells = [name, concurrency, Math.round(perSecond), ratio, p50Ms.toFixed(1), p99Ms.toFixed(1)];
    return `| ${cells.join(' | ')} |`;
  };
  const model = cpus()[0]?.model.trim() ?? 'unknown';
  const now = loadavg()[0] ?? 0;
  return [
    '# Handoffs through the SDK and a worker',
    '',
    'Written by `npm run bench:sdk`; do not edit.',
    '',
    `${secondsPerRow} seconds for each row, Node ${process.version}, ${cpus().length} cores (${model}), load ${load.toFixed(1)} at the start and ${now.toFixed(1)} at the end.`,
    'Owner, server and worker are processes of their own on one machine, and the server is durable (SQLite, `synchronous=FULL`).',
    'A handoff is five messages: start, offer, context of 300 bytes, answer, Commitment. On bare gRPC and through the SDK one',
    'process says all five; a worker finds the offer, reads the context, writes its attempt into the journal file, and answers.',
    'Figures of a machine with a load of 1 or more are those of its other work, too: read the ratio to bare gRPC in the same run.',
    '',
    '| what | at once | per second | beside bare gRPC | p50 ms | p99 ms |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...[...rows].sort((a, b) => a.concurrency - b.concurrency).map(line),
    '',
  ].join('\n');
}
