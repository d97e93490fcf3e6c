/** Context as people write it: text, JSON or bytes, with the content type that says which. */

import { validateRequiredField, validateTexts } from '../arguments.js';
import { MacpSessionError } from '../errors.js';
import type { HandoffContextRecord } from './records.js';

/** Text, bytes, or anything that JSON can say. */
export type ContextContent = string | Uint8Array | object | number | boolean | null;

/** What `sendContext` takes. */
export interface EncodedContext {
  /** What the bytes are, as a media type. */
  readonly contentType: string;
  /** The bytes themselves. */
  readonly context: Uint8Array;
}

const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json';
const BYTES = 'application/octet-stream';

/** Bytes and content type of a context: `text/plain` for a text, `application/json` for a value, bytes as they are. */
export function encodeContext(content: ContextContent, contentType?: string): EncodedContext {
  if (contentType !== undefined) validateRequiredField('contentType', contentType);
  if (content instanceof Uint8Array) return { contentType: contentType ?? BYTES, context: content };
  if (typeof content === 'string') {
    validateTexts({ context: content });
    return { contentType: contentType ?? TEXT, context: Buffer.from(content) };
  }
  return { contentType: contentType ?? JSON_TYPE, context: Buffer.from(toJson(content)) };
}

/** Nothing is left out or changed without a word: JSON would write NaN as null. */
function toJson(content: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(content, (_, value) => {
      if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} is no JSON`);
      return value;
    });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw new MacpSessionError(`context is nothing that JSON can say: ${why}`, 'context');
  }
  // Functions, symbols and undefined.
  if (text === undefined) throw new MacpSessionError('context is nothing that JSON can say', 'context');
  return text;
}

/** A context as text; undefined when its bytes are none. */
export function contextText({ context }: Pick<HandoffContextRecord, 'context'>): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(context);
  } catch {
    return undefined;
  }
}

/** A context as the value that its JSON says; undefined when its bytes are none. */
export function contextJson(record: Pick<HandoffContextRecord, 'context'>): unknown {
  try {
    return JSON.parse(contextText(record) ?? '');
  } catch {
    return undefined;
  }
}
