/**
 * Captures what hooks have put into the spool.
 *
 * D1. One process drains a folder at a time; whoever finds another at it leaves.
 * D2. An event leaves the spool after the server has answered. What is sent is written down before, and the server knows it
 *     again by its key: a process that is killed loses nothing and stores nothing twice.
 * D3. What no server takes stays for the next time. What a server refuses is logged and goes.
 * D4. A server that is away keeps nothing from another. An event that fails here, before a server is asked or after it has
 *     answered, keeps nothing from the others.
 * D5. An event that its process did not survive goes last the next time, and is set aside after the second time.
 * D6. Nothing is read of a folder that others may write to.
 */
import { join } from 'node:path';
import { requireOwnFolder } from '../../platform/require-own-folder.js';
import { begin, end, isBegunTooOften, timesBegun } from './attempts.js';
import { CaptureRefused, type CaptureTarget } from './capture-target.js';
import { type CapturedSession, capturedKey, readCaptures, writeCapture } from './captures-file.js';
import { logHook } from './hooks-log.js';
import { type Turn, takeTurn } from './one-at-a-time.js';
import { prepare } from './prepare.js';
import { type Prepared, preparedName, readPrepared, writePrepared } from './prepared.js';
import { projectOf } from './project-of.js';
import { setAside } from './set-aside.js';
import { removeFromSpool, type SpooledEvent, spoolFolder, waiting } from './spool.js';
import { takeFromSpool } from './take-from-spool.js';
import type { NextStep } from './watchdog.js';

export type TargetOf = (event: SpooledEvent) => CaptureTarget;

/** `nextStep` is told before each event: none takes long. */
export async function drain(
  dataFolder: string,
  targetOf: TargetOf,
  nextStep: NextStep = () => undefined,
): Promise<void> {
  requireOwnFolder(dataFolder);
  const lock = join(spoolFolder(dataFolder), 'draining');
  const staying: Staying = { places: new Set(), names: new Set() };
  // Whoever came while we were ending has left, trusting that we look again.
  while (waiting(dataFolder).some((name) => !staying.names.has(name))) {
    const turn = takeTurn(lock);
    if (!turn) return;
    try {
      await drainOnce({ dataFolder, targetOf, staying, turn, nextStep });
    } finally {
      turn.end();
    }
  }
}

/** Servers that are away, and the events that have to stay. */
interface Staying {
  readonly places: Set<string | undefined>;
  readonly names: Set<string>;
}

interface Draining {
  readonly dataFolder: string;
  readonly targetOf: TargetOf;
  readonly staying: Staying;
  readonly turn: Turn;
  readonly nextStep: NextStep;
}

async function drainOnce({ dataFolder, targetOf, staying, turn, nextStep }: Draining): Promise<void> {
  const now = Date.now();
  const events = waiting(dataFolder)
    .flatMap((name) => {
      const event = takeFromSpool(dataFolder, name, now);
      return event ? [{ name, event, begun: timesBegun(dataFolder, name) }] : [];
    })
    .sort((one, other) => one.begun - other.begun || one.event.at - other.event.at);
  for (const { name, event } of events) {
    nextStep();
    turn.goesOn();
    const became = staying.places.has(event.server)
      ? 'server-away'
      : await attempt(dataFolder, targetOf, name, event);
    if (became === 'gone') continue;
    if (became === 'server-away') staying.places.add(event.server);
    staying.names.add(name);
  }
}

/** What became of an event: it left the spool, or it stays, because of its server or by itself. */
type End = 'gone' | 'server-away' | 'stays';

async function attempt(
  dataFolder: string,
  targetOf: TargetOf,
  name: string,
  event: SpooledEvent,
): Promise<End> {
  if (isBegunTooOften(dataFolder, name)) {
    setAside(dataFolder, name, `${event.event} of ${event.client}: no process survived it`);
    return 'gone';
  }
  begin(dataFolder, name);
  try {
    return await captureEvent(dataFolder, targetOf, name, event);
  } finally {
    end(dataFolder, name);
  }
}

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
    const captured = await send(targetOf(event), prepared);
    remember(dataFolder, event, captured, say);
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

/** What is known of the conversation now. */
async function send(
  target: CaptureTarget,
  { request, beat, captured, done }: Prepared,
): Promise<CapturedSession> {
  if (!request) await target.beat(beat);
  const answer = request && (await target.capture(request));
  const sessionKey = answer?.sessionKey ?? captured.sessionKey;
  return {
    ...captured,
    ...(sessionKey !== undefined && { sessionKey }),
    // What was not stored is no entry that the next one could repeat.
    ...(answer?.stored === false && { digest: '' }),
    ...(answer?.stored && done && { stored: done }),
  };
}

/** It has arrived. What is not remembered of it costs nothing but reading the transcript again. */
function remember(
  dataFolder: string,
  event: SpooledEvent,
  captured: CapturedSession,
  say: (what: string) => void,
): void {
  try {
    writeCapture(dataFolder, capturedKey(event), captured, Date.now());
  } catch (error) {
    say(`captured, but not remembered: ${(error as Error).message}`);
  }
}
