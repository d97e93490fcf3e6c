/** What holds for every client over `handover mcp` while its server is killed outright. */
import { expect } from 'vitest';
import { call } from '../kit/mcp-clients.js';
import { until } from '../kit/until.js';
import { kill, serversOn } from './support.js';

export interface Surviving {
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  /** Addresses of which it was told that they changed. */
  readonly heard: readonly string[];
  follow(uri: string): Promise<void>;
  close(): Promise<void>;
}

export function killServers(folder: string): void {
  for (const pid of serversOn(folder)) kill(pid, 'SIGKILL');
}

/** N1 and N3: idle, while a call waits, among fifty writes; a subscription goes on. */
export async function survivesKills(
  folder: string,
  connect: (agent: string) => Promise<Surviving>,
): Promise<void> {
  const [claude, codex] = [await connect('claude'), await connect('codex')];
  const inbox = 'handoff://agents/codex/inbox';
  await codex.follow(inbox);
  await call(claude, 'registerSession', { sessionKey: 'work', agentFrom: 'claude' });
  killServers(folder);
  const entry = (content: string) => ({ sessionKey: 'work', contextType: 'message', content });
  await call(claude, 'updateContext', entry('after the first'));

  const waited = call(codex, 'waitForHandoff', { timeoutMs: 50_000 });
  await call(claude, 'updateContext', entry('before the second'));
  killServers(folder);
  await until(() => serversOn(folder).length === 1);
  const offer = { sessionKey: 'work', targetAgent: 'codex', requestType: 'context_transfer' };
  const { handoffId } = await call(claude, 'requestHandoff', offer);
  expect(JSON.stringify(await waited)).toContain(handoffId);
  await until(() => codex.heard.includes(inbox));

  const writes = Array.from({ length: 50 }, (_, index) => call(claude, 'updateContext', entry(`n${index}`)));
  await writes[9];
  killServers(folder);
  const numbers = (await Promise.all(writes)).map(({ contextEntry }) => contextEntry.sequenceNumber);
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 3));
  await Promise.all([claude.close(), codex.close()]);
}
