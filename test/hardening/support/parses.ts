/** What this process parses as JSON while something is done: the server under test runs in it. */
export interface Parses {
  /** Characters of the longest text. */
  readonly longest: number;
  readonly count: number;
}

const { parse } = JSON;

/** For the test itself, which must not count. */
export const uncounted = (text: string) => parse(text);

export async function parsesDuring<T>(
  what: () => Promise<T>,
): Promise<{ readonly value: T; readonly parses: Parses }> {
  const parses = { longest: 0, count: 0 };
  JSON.parse = (text: string, ...rest) => {
    parses.longest = Math.max(parses.longest, text.length);
    parses.count += 1;
    return parse(text, ...rest);
  };
  try {
    return { value: await what(), parses };
  } finally {
    JSON.parse = parse;
  }
}
