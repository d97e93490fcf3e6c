/** The two calls that move work, through one pipe. */
import type { Call } from './mcp-http-calls.js';
import { timed } from './spans.js';

const words = 'The nightly import must finish before six, and the index on the replica is missing. ';
const list = (count: number, what: string) =>
  Array.from({ length: count }, (_, index) => `${what} ${index + 1}: ${words}`);

/** A goal and nineteen more. */
const TWENTY_NOTES = {
  goal: words,
  next: list(4, 'Next'),
  open: list(4, 'Open'),
  decisions: list(4, 'Decided'),
  tried: list(3, 'Tried'),
  done: list(4, 'Done'),
};

let serial = 0;

/** Each of a session of its own, which is there before. */
export async function handOff(call: Call, agentFrom: string, to: string): Promise<number> {
  const sessionKey = `bench-${process.pid}-${++serial}`;
  await call('registerSession', { sessionKey, agentFrom });
  return timed(() => call('handOff', { ...TWENTY_NOTES, to, sessionKey }));
}

const ENTRY = words.repeat(12).slice(0, 1_000);
const ENTRIES = 1_048;

/** About 1 MB in entries; every tenth is a note. */
export async function writeLargeSession(call: Call, sessionKey: string, agentFrom: string): Promise<void> {
  await call('registerSession', { sessionKey, agentFrom });
  for (let index = 0; index < ENTRIES; index++)
    await call('updateContext', {
      sessionKey,
      contextType: 'message',
      content: `${index} ${ENTRY}`,
      ...(index % 10 === 0 && { metadata: { note: { decision: `Decided ${index}: ${words}` } } }),
    });
}

export const resume = (call: Call, sessionKey: string): Promise<number> =>
  timed(() => call('resume', { sessionKey }));
