/** What each worker of an MCP benchmark does, again and again. */
import type { Call } from './mcp-http-calls.js';

export type Workers = (count: number) => Promise<(() => Promise<void>)[]>;

export const CONTENT = 'x'.repeat(200);

export const workersOf = (count: number, make: (index: number) => () => Promise<void>) =>
  Array.from({ length: count }, (_, index) => make(index));

export const echoing =
  (call: Call): Workers =>
  async (count) =>
    workersOf(count, () => async () => {
      await call('echo', { text: CONTENT });
    });

/** Each worker writes to a session of its own, as agents do. */
export const updating =
  (call: Call, agentFrom: string): Workers =>
  async (count) => {
    const run = Date.now();
    const keys = Array.from({ length: count }, (_, index) => `bench-${run}-${index}`);
    for (const sessionKey of keys) await call('registerSession', { sessionKey, agentFrom });
    return workersOf(count, (index) => async () => {
      await call('updateContext', { sessionKey: keys[index], contextType: 'message', content: CONTENT });
    });
  };
