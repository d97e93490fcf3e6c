// Preloaded into the server by NODE_OPTIONS=--import, so that any build can be measured from outside. Writes one JSON line
// a second: the delay of the event loop in this second and since the last mark, its use, and memory.
//
// SIGUSR2 is a mark: it collects garbage and begins the figures anew.
import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const RESOLUTION_MS = 10;
/** The loop counts as held when it did not turn for longer than this. */
const HELD_MS = 100;

const file = process.env.ABUSE_RECORDING;
if (isMainThread && file !== undefined && process.argv[2] === 'serve') record(file);

function record(file) {
  setFlagsFromString('--expose_gc');
  const collectGarbage = runInNewContext('gc');
  const second = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const sinceMark = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  second.enable();
  sinceMark.enable();
  let usage = performance.eventLoopUtilization();
  let lastTurn = performance.now();
  let heldMs = 0;
  let longestMs = 0;

  setInterval(() => {
    const gap = performance.now() - lastTurn;
    lastTurn += gap;
    longestMs = Math.max(longestMs, gap);
    if (gap > HELD_MS) heldMs += gap;
  }, RESOLUTION_MS).unref();

  const write = (mark) => {
    const { rss, heapUsed } = process.memoryUsage();
    const used = performance.eventLoopUtilization(usage).utilization;
    usage = performance.eventLoopUtilization();
    const loop = { second: delays(second), sinceMark: delays(sinceMark), heldMs, longestMs, used };
    appendFileSync(file, `${JSON.stringify({ at: Date.now(), mark, ...loop, rss, heapUsed })}\n`);
    second.reset();
  };
  setInterval(() => write(false), 1_000).unref();
  process.on('SIGUSR2', () => {
    collectGarbage();
    sinceMark.reset();
    heldMs = 0;
    longestMs = 0;
    lastTurn = performance.now();
    write(true);
  });
}

/** Milliseconds. Each includes the interval of the timer itself, so that an idle loop shows about 10. */
function delays(histogram) {
  const ms = (nanoseconds) => (Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : 0);
  return { p50: ms(histogram.percentile(50)), p99: ms(histogram.percentile(99)), max: ms(histogram.max) };
}
