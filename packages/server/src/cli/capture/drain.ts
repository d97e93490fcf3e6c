/**
 * Captures what hooks have put into the spool.
 *
 * D1. One process drains a folder at a time; whoever finds another at it leaves.
 * D2. An event leaves the spool after the server has answered. What is sent is written down before, and the server knows it
 *     again by its key: a process that is killed loses nothing and stores nothing twice.
 * D3. What no server takes stays for the next time. What a server refuses is logged and goes.
 * D4. A server that is away keeps nothing from another. An event that fails here, before a server is asked, keeps nothing
 *     from the others.
 */
import { join } from 'node:path';
import { CaptureRefused, type CaptureTarget } from './capture-target.js';
import { capturedKey, readCaptures, writeCapture } from './captures-file.js';
import { logHook } from './hooks-log.js';
import { takeTurn } from './one-at-a-time.js';
import { prepare } from './prepare.js';
import { type Prepared, preparedName, readPrepared, writePrepared } from './prepared.js';
import { projectOf } from './project-of.js';
import { removeFromSpool, type SpooledEvent, spoolFolder, waiting } from './spool.js';
import { takeFromSpool } from './take-from-spool.js';

export type TargetOf = (event: SpooledEvent) => CaptureTarget;

export async function drain(dataFolder: string, targetOf: TargetOf): Promise<void> {
  const lock = join(spoolFolder(dataFolder), 'draining');
  const staying: Staying = { places: new Set(), names: new Set() };
  // Whoever came while we were ending has left, trusting that we look again.
  while (waiting(dataFolder).some((name) => !staying.names.has(name))) {
    const release = takeTurn(lock);
    if (!release) return;
    try {
      await drainOnce(dataFolder, targetOf, staying);
    } finally {
      release();
    }
  }
}

/** Servers that are away, and the events that have to stay. */
interface Staying {
  readonly places: Set<string | undefined>;
  readonly names: Set<string>;
}

async function drainOnce(dataFolder: string, targetOf: TargetOf, staying: Staying): Promise<void> {
  const now = Date.now();
  const events = waiting(dataFolder)
    .flatMap((name) => {
      const event = takeFromSpool(dataFolder, name, now);
      return event ? [{ name, event }] : [];
    })
    .sort((one, other) => one.event.at - other.event.at);
  for (const { name, event } of events) {
    const end = staying.places.has(event.server)
      ? 'server-away'
      : await captureEvent(dataFolder, targetOf, name, event);
    if (end === 'gone') continue;
    if (end === 'server-away') staying.places.add(event.server);
    staying.names.add(name);
  }
}

/** What became of an event: it left the spool, or it stays, because of its server or by itself. */
type End = 'gone' | 'server-away' | 'stays';

async function captureEvent(
  dataFolder: string,
  targetOf: TargetOf,
  name: string,
  event: SpooledEvent,
): Promise<End> {
  const say = (what: string) => logHook(dataFolder, `${event.event} of ${event.client}: ${what}`);
  let isAsked = false;
  try {
    const prepared = readPrepared(dataFolder, name) ?? (await prepareEvent(dataFolder, name, event, say));
    isAsked = true;
    await send(dataFolder, targetOf(event), event, prepared);
  } catch (error) {
    say(`${error instanceof CaptureRefused ? 'refused' : 'waits'}: ${(error as Error).message}`);
    if (!(error instanceof CaptureRefused)) return isAsked ? 'server-away' : 'stays';
  }
  removeFromSpool(dataFolder, name);
  removeFromSpool(dataFolder, preparedName(name));
  return 'gone';
}

async function prepareEvent(
  dataFolder: string,
  name: string,
  spooled: SpooledEvent,
  say: (what: string) => void,
): Promise<Prepared> {
  const before = readCaptures(dataFolder).get(capturedKey(spooled));
  const id = name.replace(/\.json$/, '');
  const { refused, ...prepared } = await prepare({ spooled, id, before, ...projectOf(spooled) });
  if (refused !== undefined) say(`the transcript is not read: ${refused}`);
  writePrepared(dataFolder, name, prepared);
  return prepared;
}

async function send(
  dataFolder: string,
  target: CaptureTarget,
  event: SpooledEvent,
  { request, beat, captured, done }: Prepared,
): Promise<void> {
  if (!request) await target.beat(beat);
  const answer = request && (await target.capture(request));
  const sessionKey = answer?.sessionKey ?? captured.sessionKey;
  const known = {
    ...captured,
    ...(sessionKey !== undefined && { sessionKey }),
    // What was not stored is no entry that the next one could repeat.
    ...(answer?.stored === false && { digest: '' }),
    ...(answer?.stored && done && { stored: done }),
  };
  writeCapture(dataFolder, capturedKey(event), known, Date.now());
}
