/** Offers, and workers that serve them, for tests of the worker and the inbox. */
import {
  contextText,
  HandoffSession,
  HandoffWorker,
  type HandoffWorkerOptions,
  type MacpClient,
  type SessionOptions,
} from 'macp-sdk-typescript';
import { afterEach } from 'vitest';

/** Starts a session and offers it, to bob unless told, with as many contexts as there are texts. */
export async function offered(
  client: MacpClient,
  texts: readonly string[] = [],
  options: SessionOptions & {
    readonly to?: string;
    readonly ttlMs?: number;
    readonly context?: Uint8Array;
  } = {},
): Promise<HandoffSession> {
  const { to = 'bob', ttlMs = 600_000, context, ...rest } = options;
  const session = new HandoffSession(client, rest);
  await session.start({ intent: 'x', participants: [to, 'carol'], ttlMs, context });
  await session.offer({ handoffId: 'h1', targetParticipant: to, scope: 'pager', reason: 'end of shift' });
  for (const text of texts) await sendText(session, text);
  return session;
}

export function sendText(session: HandoffSession, text: string) {
  return session.sendContext({ handoffId: 'h1', contentType: 'text/plain', context: Buffer.from(text) });
}

/** The answer to h1, once there is one. */
export async function answerOf(session: HandoffSession) {
  const handoff = (await session.sync()).getHandoff('h1');
  return handoff?.disposition === 'offered' ? undefined : handoff?.disposition;
}

/** The contexts of h1 in the server's history: what came before the answer, and what came after it. */
export async function contextsIn(client: MacpClient, sessionId: string) {
  const { contexts } = await new HandoffSession(client, { sessionId }).sync();
  const all = contexts.get('h1') ?? [];
  const textsOf = (isLate: boolean) => all.filter(({ late }) => late === isLate).map(contextText);
  return { inTime: textsOf(false), late: textsOf(true) };
}

/** A time in which nothing that a worker does by itself would be left out. */
export const quickly = { firstMs: 0, quietMs: 0 };

/** Workers that run until the test is over. */
export function useWorkers() {
  const running: { worker: HandoffWorker; run: Promise<void> }[] = [];
  afterEach(async () => {
    for (const { worker, run } of running.splice(0)) {
      await worker.stop();
      await run;
    }
  });
  return (options: HandoffWorkerOptions): HandoffWorker => {
    const worker = new HandoffWorker({ context: quickly, drainMs: 200, ...options });
    const run = worker.run();
    // A test that expects a failure runs the worker itself.
    run.catch(() => undefined);
    running.push({ worker, run });
    return worker;
  };
}
