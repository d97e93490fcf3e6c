/** Decides what an event of the spool becomes: an entry, an entry that leaves the work for others, or a sign of life. */
import { createHash } from 'node:crypto';
import type { ProjectTag } from '../../services/project.js';
import type { CapturedSession } from './captures-file.js';
import { clientsNameOf } from './clients.js';
import { isMoreWork } from './done-so-far.js';
import type { Prepared } from './prepared.js';
import type { SpooledEvent } from './spool.js';
import { type Capture, takeCapture } from './take-capture.js';

const BETWEEN_STOPS_MS = 60_000;
const SAME_EVENT_MS = 5_000;
/** The conversation cannot go on by itself. */
const ENDING_ERRORS = new Set(['rate_limit', 'billing_error', 'overloaded']);

export interface EventSource {
  readonly spooled: SpooledEvent;
  /** The name of the event in the spool, without its ending. */
  readonly id: string;
  readonly before: CapturedSession | undefined;
  readonly project?: ProjectTag;
}

export async function prepare(source: EventSource): Promise<Prepared & { readonly refused?: string }> {
  const { spooled, id, before, project } = source;
  const { client, session, at } = spooled;
  const event = clientsNameOf(spooled.event);
  const capture = await takeCapture({
    ...{ client, event, session, before: before?.mark, transcript: spooled.transcript },
    folder: spooled.cwd ?? spooled.project,
    reason: spooled.event === 'stop-failure' ? spooled.error : undefined,
  });
  const happened = new Date(at).toISOString();
  const about = { client, clientSession: session, event, at: happened, ...(project && { project }) };
  const { entry, isWork, done, mark, refused } = capture;
  const digest = digestOf(capture);
  const { mark: _older, ...known } = before ?? { at, event, digest };
  if (!isDue(spooled, event, before, digest))
    return {
      beat: about,
      captured: { ...known, ...(mark && { mark }) },
      ...(refused !== undefined && { refused }),
    };
  const park = spooled.parks && ends(spooled);
  const { sessionKey, stored } = before ?? {};
  return {
    beat: about,
    request: {
      ...{ ...about, idempotencyKey: `hook:${id}`, ...entry, isWork, park },
      ...(sessionKey !== undefined && { sessionKey }),
      ...(stored && done && { isMoreWork: isMoreWork(done, stored) }),
    },
    captured: { ...known, at, event, digest, ...(mark && { mark }) },
    ...(done && { done }),
    ...(refused !== undefined && { refused }),
  };
}

function ends({ event, error }: SpooledEvent): boolean {
  return event === 'session-end' || (event === 'stop-failure' && ENDING_ERRORS.has(error ?? ''));
}

/** A turn that changed nothing, or came right after another, is no entry; nor is an event that was told twice. */
function isDue(
  spooled: SpooledEvent,
  event: string,
  before: CapturedSession | undefined,
  digest: string,
): boolean {
  if (!before || before.digest === '') return true;
  const since = spooled.at - before.at;
  if (spooled.event === 'stop') return before.digest !== digest && since >= BETWEEN_STOPS_MS;
  return before.event !== event || before.digest !== digest || since > SAME_EVENT_MS;
}

const digestOf = ({ entry }: Capture): string =>
  createHash('sha256')
    .update(JSON.stringify([entry.content, entry.metadata.capture.git ?? '']))
    .digest('hex');
