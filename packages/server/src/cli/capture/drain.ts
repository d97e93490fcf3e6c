/**
 * Captures what hooks have put into the spool.
 *
 * D1. One process drains a folder at a time; whoever finds another at it leaves.
 * D2. An event leaves the spool after the server has answered. What is sent is written down before, and the server knows it
 *     again by its key: a process that is killed loses nothing and stores nothing twice.
 * D3. What no server takes stays for the next time. What a server refuses is logged and goes.
 */
import { join } from 'node:path';
import { capturedKey, readCaptures, writeCapture } from './captures-file.js';
import { logHook } from './hooks-log.js';
import { takeTurn } from './one-at-a-time.js';
import { prepare } from './prepare.js';
import { type Prepared, preparedName, readPrepared, writePrepared } from './prepared.js';
import { removeFromSpool, type SpooledEvent, spoolFolder, takeFromSpool, waiting } from './spool.js';
import { CaptureRefused, type CaptureTarget } from './target.js';

export async function drain(dataFolder: string, target: CaptureTarget): Promise<void> {
  const lock = join(spoolFolder(dataFolder), 'draining');
  // Whoever came while we were ending has left, trusting that we look again.
  while (waiting(dataFolder).length > 0) {
    const release = takeTurn(lock);
    if (!release) return;
    try {
      if (!(await drainOnce(dataFolder, target))) return;
    } finally {
      release();
    }
  }
}

/** False: something has to stay. */
async function drainOnce(dataFolder: string, target: CaptureTarget): Promise<boolean> {
  const now = Date.now();
  const events = waiting(dataFolder)
    .flatMap((name) => {
      const event = takeFromSpool(dataFolder, name, now);
      return event ? [{ name, event }] : [];
    })
    .sort((one, other) => one.event.at - other.event.at);
  for (const { name, event } of events)
    if (!(await captureEvent(dataFolder, target, name, event))) return false;
  return true;
}

async function captureEvent(
  dataFolder: string,
  target: CaptureTarget,
  name: string,
  event: SpooledEvent,
): Promise<boolean> {
  const say = (what: string) => logHook(dataFolder, `${event.event} of ${event.client}: ${what}`);
  try {
    const prepared =
      readPrepared(dataFolder, name) ?? (await prepareEvent(dataFolder, target, name, event, say));
    await send(dataFolder, target, event, prepared);
  } catch (error) {
    say(`${error instanceof CaptureRefused ? 'refused' : 'waits'}: ${(error as Error).message}`);
    if (!(error instanceof CaptureRefused)) return false;
  }
  removeFromSpool(dataFolder, name);
  removeFromSpool(dataFolder, preparedName(name));
  return true;
}

async function prepareEvent(
  dataFolder: string,
  target: CaptureTarget,
  name: string,
  spooled: SpooledEvent,
  say: (what: string) => void,
): Promise<Prepared> {
  const before = readCaptures(dataFolder).get(capturedKey(spooled.client, spooled.session));
  const id = name.replace(/\.json$/, '');
  const { refused, ...prepared } = await prepare({ spooled, id, before, ...target.projectOf(spooled) });
  if (refused !== undefined) say(`the transcript is not read: ${refused}`);
  writePrepared(dataFolder, name, prepared);
  return prepared;
}

async function send(
  dataFolder: string,
  target: CaptureTarget,
  { agent, client, session }: SpooledEvent,
  { request, beat, captured }: Prepared,
): Promise<void> {
  if (!request) await target.beat(agent, beat);
  const answer = request && (await target.capture(agent, request));
  const sessionKey = answer?.sessionKey ?? captured.sessionKey;
  const known = {
    ...captured,
    ...(sessionKey !== undefined && { sessionKey }),
    // What was not stored is no entry that the next one could repeat.
    ...(answer?.stored === false && { digest: '' }),
  };
  writeCapture(dataFolder, capturedKey(client, session), known, Date.now());
}
