/** Closed-loop measuring: so many workers, each sending one after another, for so long. */
export interface Measured {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly requests: number;
}

export async function measure(
  workers: readonly (() => Promise<void>)[],
  { warmupMs = 1_000, runMs = 3_000 }: { warmupMs?: number; runMs?: number } = {},
): Promise<Measured> {
  const latencies: number[] = [];
  const start = performance.now() + warmupMs;
  const end = start + runMs;
  await Promise.all(
    workers.map(async (work) => {
      for (;;) {
        const before = performance.now();
        if (before >= end) return;
        await work();
        if (before >= start) latencies.push(performance.now() - before);
      }
    }),
  );
  const seconds = (performance.now() - start) / 1_000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) =>
    latencies[Math.min(Math.floor(latencies.length * share), latencies.length - 1)] ?? 0;
  return {
    perSecond: latencies.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    requests: latencies.length,
  };
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
