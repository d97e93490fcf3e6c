import type { JsonObject } from '@handover/core';
import { z } from 'zod';
import type { Principal } from '../../../auth/principal.js';
import { Scope } from '../../../auth/scopes.js';
import { iso } from '../../../platform/iso.js';
import type { Connection } from '../../../services/connection.js';
import type {
  HandoffService,
  HandoffView,
  LeftSession,
  ReturnedOffer,
  SessionRow,
} from '../../../services/handoffs/types.js';
import { isProjectText, PROJECT_CHARACTERS, type ProjectTag } from '../../../services/project.js';
import { cursor } from '../arguments.js';
import { success } from '../outputs.js';
import { ResultShape } from '../results.js';
import { shortText } from '../short-text.js';
import { bytesOfTokens, fitting, jsonBytes } from '../token-room.js';
import { defineTool, READS } from '../tool.js';
import type { HandoffToolDependencies } from './dependencies.js';
import { bytesFor } from './result-tokens.js';

export const project = z
  .string()
  .min(1)
  .refine(isProjectText, `must be 1 to ${PROJECT_CHARACTERS} characters, without control characters`);

const input = z.strictObject({
  project: project.describe('Default: this project; * is all.').exactOptional(),
  status: z.enum(['active', 'completed', 'all']).exactOptional(),
  limit: z.int().min(1).max(100).describe('Default 20.').exactOptional(),
  cursor: cursor.exactOptional(),
});

export type ListSessionsArgs = z.infer<typeof input>;

const output = z.looseObject({
  success,
  sessions: z.array(z.looseObject({ sessionKey: z.string(), owner: z.string(), yours: z.boolean() })),
});

const DEFAULT_LIMIT = 20;
const MOST_OFFERS = 20;
/** Of the inbox, and of the outbox. */
const OFFER_BYTES = bytesOfTokens(1_000);
const TITLE_CHARACTERS = 80;

export const listSessions = ({ handoffs }: HandoffToolDependencies) =>
  defineTool<ListSessionsArgs>({
    name: 'listSessions',
    title: 'List sessions',
    description:
      'List working sessions in this project, and offers to you and by you, with what you can do about each.',
    scope: Scope.HANDOFF_READ,
    hints: READS,
    input,
    output,
    result: ResultShape.FIELDS,
    run: async (args, { principal, connection }) => {
      const { status = 'active', limit = DEFAULT_LIMIT, cursor: from } = args;
      const wanted = args.project ?? connection.project?.id;
      const asked = {
        ...{ status, limit },
        ...(wanted !== undefined && { project: wanted }),
        ...(from !== undefined && { cursor: from }),
      };
      const found = await handoffs.newestSessions(principal, asked, connection);
      if ('rejection' in found) return found;
      // Whoever turns the page has seen the offers.
      const offers = from === undefined ? await boxesOf(handoffs, principal, connection, wanted) : {};
      const { sessions, hasMore, complete } = found.value;
      const frame = { sessions: [], ...offers, complete, nextCursor: LONGEST_CURSOR };
      const rows = sessions.map((row) => sessionJson(row, principal.agent));
      const shown = fitting(rows, bytesFor('listSessions') - jsonBytes(frame));
      const last = sessions[shown.length - 1];
      const more = last && (hasMore || shown.length < rows.length);
      return {
        value: {
          sessions: shown,
          ...offers,
          ...(!complete && { complete }),
          ...(more && { nextCursor: last.cursor }),
        },
      };
    },
  });

/** A key of 255 characters of three bytes, and a time, in base64. */
const LONGEST_CURSOR = 'x'.repeat(1_100);

function sessionJson(row: SessionRow, agent: string): JsonObject {
  const { title, cursor: _, lastActivityAt, silentSince, takeFrom, project: tag, ...rest } = row;
  return {
    ...rest,
    ...titled(title),
    yours: row.owner === agent,
    ...(tag && { project: { id: tag.id, name: tag.name } }),
    lastActivityAt: iso(lastActivityAt),
    ...(silentSince !== undefined && { silentSince: iso(silentSince) }),
    ...(takeFrom !== undefined && { takeFrom: iso(takeFrom), instruction: TAKING }),
    ...(row.shared && { instruction: SHARED }),
  };
}

const TAKING =
  'If its owner stays silent: from takeFrom on, resume with its sessionKey and take: true, if the user wants you to go on.';

const SHARED =
  'You may write to it, too: updateContext with its sessionKey; resume shows where it stands. It stays with its owner.';

interface Boxes {
  readonly inbox?: readonly JsonObject[];
  readonly outbox?: readonly JsonObject[];
  readonly next?: JsonObject;
}

const OFFER_ROOM = { bytes: OFFER_BYTES, sizeOf: (offer: HandoffView) => jsonBytes(offerJson(offer)) + 1 };

/** Below the offers to the caller stands what was left for it; below its own those that came to nothing. */
async function boxesOf(
  handoffs: HandoffService,
  principal: Principal,
  connection: Connection,
  wanted: string | undefined,
): Promise<JsonObject> {
  const { inbox = [], outbox = [], ...rest } = await offersOf(handoffs, principal, connection.project);
  const where = wanted === undefined ? {} : { project: wanted };
  const left = await handoffs.leftSessions(principal, where, connection);
  const returned = await handoffs.returnedOffers(principal, where);
  return {
    inbox: withMore(inbox, left.map(leftJson)),
    outbox: withMore(outbox, returned.map(returnedJson)),
    ...rest,
  };
}

function withMore(offers: readonly JsonObject[], more: readonly JsonObject[]): readonly JsonObject[] {
  const rows = more.slice(0, Math.max(0, MOST_OFFERS - offers.length));
  return [...offers, ...fitting(rows, OFFER_BYTES - jsonBytes(offers))];
}

function leftJson({ sessionKey, title, from, to, leftAt, until, unasked }: LeftSession): JsonObject {
  const instruction = unasked
    ? 'Its owner left it without handing it over: resume with its sessionKey and take: true, if the user wants you to go on.'
    : 'It becomes yours with resume, its sessionKey and accept: true.';
  const times = { leftAt: iso(leftAt), expiresAt: iso(until) };
  return { from, to, sessionKey, ...titled(title), phase: 'parked', ...times, instruction };
}

/** What waits for somebody's next move. What does not fit is in listHandoffs: from there on, or of both boxes. */
async function offersOf(
  handoffs: HandoffService,
  principal: Principal,
  here: ProjectTag | undefined,
): Promise<Boxes> {
  const boxes: Record<string, JsonObject[]> = {};
  const more: { readonly box: string; readonly cursor?: string }[] = [];
  for (const box of ['inbox', 'outbox'] as const) {
    const asked = { box, status: 'pending', limit: MOST_OFFERS, room: OFFER_ROOM } as const;
    const page = await handoffs.listHandoffs(principal, asked);
    const { handoffs: shown, nextCursor: cursor } = 'value' in page ? page.value : { handoffs: [] };
    boxes[box] = shown.map((offer) => offerJson(offer, here));
    if (cursor !== undefined) more.push({ box, cursor });
  }
  const [first, second] = more;
  const rest = second ? { box: 'all' } : first;
  return {
    ...boxes,
    ...(rest && { next: { tool: 'listHandoffs', arguments: { ...rest, status: 'pending' } } }),
  };
}

/** Of its answer the sender is told why; and of one that its target can still pick up, that it is not over. */
function returnedJson(offer: ReturnedOffer): JsonObject {
  const { stillLeft, answerReason = '' } = offer;
  const shown = offerJson({ ...offer, reason: answerReason });
  return stillLeft ? { ...shown, phase: 'parked' } : shown;
}

function offerJson(offer: HandoffView, here?: ProjectTag): JsonObject {
  const { handoffId, from, to, sessionKey, requestType, phase, reason, expiresAt, instruction } = offer;
  return {
    handoffId,
    from,
    to,
    ...(sessionKey !== undefined && { sessionKey }),
    ...titled(offer.title),
    ...(requestType !== undefined && { requestType }),
    ...(isElsewhere(offer, here) && { project: offer.project?.name ?? '' }),
    phase,
    ...(reason !== '' && shortText('reason', reason)),
    ...(phase !== 'declined' && { expiresAt: iso(expiresAt) }),
    instruction,
  };
}

/** Keys alone tell nobody which one is meant. */
const titled = (title: string | undefined): JsonObject =>
  title === undefined ? {} : shortText('title', title, TITLE_CHARACTERS);

/** Offers are listed whatever project they belong to: of another one it is said. */
const isElsewhere = ({ project }: HandoffView, here: ProjectTag | undefined): boolean =>
  project !== undefined && here !== undefined && project.id !== here.id;
