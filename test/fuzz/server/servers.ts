/** The servers of a run: one of each mode, shared by all targets, started when first needed and again after a death. */
import type { Flaw } from '../target.js';
import type { Mode } from './people.js';
import { prepare } from './prepare.js';
import { ServerUnderTest } from './server-under-test.js';

const running = new Map<Mode, ServerUnderTest>();

export async function serverOf(mode: Mode): Promise<ServerUnderTest> {
  const known = running.get(mode);
  if (known?.isAlive) return known;
  await known?.close();
  const server = await freshServer(mode);
  running.set(mode, server);
  return server;
}

/** One that nobody else uses; the caller closes it. */
export async function freshServer(mode: Mode): Promise<ServerUnderTest> {
  const server = await new ServerUnderTest(mode).start();
  await prepare(server);
  return server;
}

export async function closeServers(): Promise<{
  readonly notes: readonly string[];
  readonly flaws: readonly Flaw[];
}> {
  const closed = await Promise.all([...running.values()].map((server) => server.close()));
  running.clear();
  return { notes: closed.map(({ note }) => note), flaws: closed.flatMap(({ flaws }) => flaws) };
}
