/** Tells the client of a tool that waits, every few seconds, that it still does. */
const PROGRESS_MS = 8_000;

export async function whileWaiting<Result>(
  progress: (message: string) => void,
  run: () => Promise<Result>,
): Promise<Result> {
  const started = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - started) / 1_000);
    progress(`still waiting, ${seconds} s`);
  }, PROGRESS_MS);
  try {
    return await run();
  } finally {
    clearInterval(timer);
  }
}
