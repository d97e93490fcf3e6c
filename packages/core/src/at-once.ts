/** What work that comes in pieces comes to, without a break between them: for what is small, and for a thread that has nothing else to do. */
export function atOnce<T>(pieces: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
}
