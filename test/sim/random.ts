/** Numbers that follow from a seed alone (sfc32). */
export interface Random {
  /** From 0 up to, but not including, 1. */
  (): number;
  /** An integer below `n`. */
  below(n: number): number;
  chance(p: number): boolean;
  pick<T>(of: readonly [T, ...T[]]): T;
  bytes(length: number): Uint8Array;
  id(): string;
}

export function randomFrom(seed: number): Random {
  let [a, b, c, d] = [seed >>> 0, 0x9e3779b9, 0x243f6a88, 1];
  const next = (): number => {
    const t = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return (t >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 15; i++) next();
  const below = (n: number): number => Math.floor(next() * n);
  const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => below(256));
  return Object.assign(next, {
    below,
    chance: (p: number) => next() < p,
    pick: <T>(of: readonly [T, ...T[]]): T => of[below(of.length)] ?? of[0],
    bytes,
    id: () => Buffer.from(bytes(16)).toString('hex'),
  });
}
