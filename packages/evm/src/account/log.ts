/** What a contract has written to the log of a chain. Hex is lowercase. */
export interface EventLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** The n-th word of the data; undefined: it is not there. */
export function wordOf(data: string, n: number): string | undefined {
  const word = data.slice(2 + n * 64, 2 + (n + 1) * 64);
  return word.length === 64 ? `0x${word}` : undefined;
}

export const addressWord = (address: string): string =>
  `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
export const numberWord = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`;
