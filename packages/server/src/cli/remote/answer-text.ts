/** Bodies of answers that are no streams, and the sentence in a refusal. */
import type { IncomingMessage } from 'node:http';
import { isFields, redact } from '@handover/core';
import { printable } from '../conventions/printable.js';
import { parsed } from './message-head.js';

/** Undefined when it is larger. Rejects when the connection is lost. */
export function bodyOf(answer: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    answer.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size <= maxBytes) return void pieces.push(piece);
      resolve(undefined);
      answer.destroy();
    });
    answer.once('end', () => resolve(Buffer.concat(pieces).toString('utf8')));
    answer.once('error', reject);
    answer.once('close', () => reject(new Error('the connection was closed')));
  });
}

const MAX_SENTENCE = 500;
const MAX_LOOKED_AT = 4_096;

/** What the server says of its refusal, for people; undefined when it says nothing. It may repeat the request with its token. */
export function sentenceIn(body: string): string | undefined {
  const value = parsed(body);
  if (!isFields(value)) return undefined;
  const inner = isFields(value.error) ? value.error.message : value.error;
  const said = [value.error_description, value.message, inner].find((text) => typeof text === 'string');
  if (said === undefined) return undefined;
  return printable(redact(said.slice(0, MAX_LOOKED_AT)).text.slice(0, MAX_SENTENCE));
}

/** The scopes that a refusal asks for (RFC 6750). */
export function scopesAsked({ headers }: IncomingMessage): string | undefined {
  const challenge = headers['www-authenticate'] ?? '';
  return /(?:^|[\s,])scope="([\x21\x23-\x5b\x5d-\x7e ]{1,500})"/.exec(challenge)?.[1];
}

/** A message that stands in one line. Between the parts of a JSON text a line break means nothing. */
export const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ').trim();
