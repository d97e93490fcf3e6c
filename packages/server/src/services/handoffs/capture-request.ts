/** What hooks ask of a server about a conversation: over the socket, or over HTTP with the same body. */
import { type Fields, isFields, type JsonObject, parseTimestamp, utf8Length } from '@handover/core';
import { isProjectName, type ProjectTag } from '../project.js';

interface OfConversation {
  /** The program that the conversation is held in. */
  readonly client: string;
  /** What that program calls the conversation. */
  readonly clientSession: string;
  /** As the program calls it, such as `SessionEnd`. */
  readonly event: string;
  readonly project?: ProjectTag;
  /** When it happened (RFC 3339); absent: now. What could not be sent at once arrives later. */
  readonly at?: string;
}

/** Something happened: the agent is there. At the start of a session, the answer says what waits. */
export interface HookRequest extends OfConversation {
  readonly source?: string;
  readonly autoload?: 'lines' | 'brief';
  /** What was answered as of this time has been shown to the agent. */
  readonly shown?: number;
}

export interface CaptureRequest extends OfConversation {
  /** The same request again has the same. */
  readonly idempotencyKey: string;
  readonly content: string;
  readonly metadata: JsonObject;
  /** The user asked twice, or a file was written: for less, no session is opened. */
  readonly isWork: boolean;
  /** So much again since it was captured last; absent: it never was. */
  readonly isMoreWork?: boolean;
  /** Leave the session for whoever comes next. */
  readonly park: boolean;
  /** Where the conversation was captured last. */
  readonly sessionKey?: string;
  /** What git has not committed, as a patch. */
  readonly patch?: string;
}

/** The event of a capture that a person asked for. */
export const BY_HAND = 'manual';

/** What became of it. */
export interface Captured {
  readonly stored: boolean;
  readonly sessionKey?: string;
  readonly sequenceNumber?: number;
  readonly parked?: boolean;
  /** Why nothing is stored, or why it is not left although that was asked for. */
  readonly because?: string;
}

const CLIENT = /^[a-z][a-z0-9-]{0,31}$/;
const SESSION = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const WORD = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/;
const MAX_KEY_BYTES = 256;
const MAX_CONTENT_BYTES = 8_192;
const MAX_METADATA_BYTES = 65_536;
export const MAX_PATCH_BYTES = 262_144;

const OF_CONVERSATION = ['client', 'clientSession', 'event', 'project', 'at'];
/** What a body may hold, for doors that refuse all else. */
export const HOOK_FIELDS: readonly string[] = [...OF_CONVERSATION, 'source', 'autoload', 'shown'];
export const CAPTURE_FIELDS: readonly string[] = [
  ...OF_CONVERSATION,
  ...['idempotencyKey', 'content', 'metadata', 'isWork', 'isMoreWork', 'park', 'sessionKey', 'patch'],
];

/** The request, or what is wrong with it. */
export function readHookRequest(value: unknown): HookRequest | string {
  const about = conversationOf(value);
  if (typeof about === 'string' || !isFields(value)) return about as string;
  const { source, autoload, shown } = value;
  return {
    ...about,
    ...(isShaped(source, WORD) && { source }),
    ...((autoload === 'lines' || autoload === 'brief') && { autoload }),
    ...(typeof shown === 'number' && Number.isSafeInteger(shown) && { shown }),
  };
}

export function readCaptureRequest(value: unknown): CaptureRequest | string {
  const about = conversationOf(value);
  if (typeof about === 'string' || !isFields(value)) return about as string;
  const { idempotencyKey, content, metadata, isWork, isMoreWork, park, sessionKey, patch } = value;
  if (
    typeof idempotencyKey !== 'string' ||
    idempotencyKey === '' ||
    utf8Length(idempotencyKey) > MAX_KEY_BYTES
  )
    return `idempotencyKey must have 1 to ${MAX_KEY_BYTES} bytes`;
  if (typeof content !== 'string' || utf8Length(content) > MAX_CONTENT_BYTES)
    return `content must be a text of at most ${MAX_CONTENT_BYTES} bytes`;
  if (!isFields(metadata) || !isFields(metadata.capture)) return 'metadata must have a field capture';
  if (utf8Length(JSON.stringify(metadata)) > MAX_METADATA_BYTES)
    return `metadata may have ${MAX_METADATA_BYTES} bytes`;
  if (![isWork, isMoreWork, park].every(isSwitch)) return 'isWork, isMoreWork and park must be true or false';
  if (patch !== undefined && (typeof patch !== 'string' || utf8Length(patch) > MAX_PATCH_BYTES))
    return `patch must be a text of at most ${MAX_PATCH_BYTES} bytes`;
  return {
    ...about,
    ...{ idempotencyKey, content, metadata: metadata as JsonObject },
    ...{ isWork: isWork === true, park: park === true },
    ...(typeof isMoreWork === 'boolean' && { isMoreWork }),
    ...(typeof sessionKey === 'string' && sessionKey !== '' && { sessionKey }),
    ...(patch !== undefined && patch !== '' && { patch }),
  };
}

function conversationOf(value: unknown): OfConversation | string {
  if (!isFields(value)) return 'the body must be a JSON object';
  const { client, clientSession, event, project, at } = value;
  if (!isShaped(client, CLIENT)) return 'client must be the name of a program, in lower case';
  if (!isShaped(clientSession, SESSION)) return 'clientSession must be the id of a conversation';
  if (!isShaped(event, WORD)) return 'event must be one word';
  const tag = projectTag(project);
  if (project !== undefined && !tag) return 'project must have an id and a name';
  if (at !== undefined && (typeof at !== 'string' || parseTimestamp(at) === undefined))
    return 'at must be a time like 2026-11-16T09:30:00.000Z';
  return { client, clientSession, event, ...(tag && { project: tag }), ...(at !== undefined && { at }) };
}

/** When it happened. Clocks differ: what has not happened yet happens now. */
export const happenedAt = ({ at }: Pick<OfConversation, 'at'>, now: number): number =>
  Math.min(parseTimestamp(at ?? '') ?? now, now);

const isSwitch = (value: unknown): value is boolean | undefined =>
  value === undefined || typeof value === 'boolean';

function projectTag(value: unknown): ProjectTag | undefined {
  const { id, name }: Fields = isFields(value) ? value : {};
  return isProjectName(id) && isProjectName(name) ? { id, name } : undefined;
}

const isShaped = (value: unknown, shape: RegExp): value is string =>
  typeof value === 'string' && shape.test(value);
