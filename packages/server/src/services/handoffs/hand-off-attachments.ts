/**
 * Attachments of a handoff: contexts of the offer when somebody is named, else entries of the working session, so that
 * whoever picks it up finds them there.
 */
import type { Codec, JsonObject } from '@handover/core';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Outcome } from '../outcome.js';
import { fieldFlaw } from './field-flaw.js';
import type { NewEntry } from './hand-off-entry.js';
import type { HandOffAttachment } from './hand-off-types.js';
import { payloadOf } from './payloads.js';

export interface ReadAttachment extends HandOffAttachment {
  readonly contentType: string;
  readonly context: Uint8Array;
}

const EACH = fixedLimits.handOffAttachmentBytes.value;
const TOGETHER = fixedLimits.handOffAttachmentsBytes.value;

export function readAttachments(
  given: readonly HandOffAttachment[],
  codec: Codec,
): Outcome<readonly ReadAttachment[]> {
  const read: ReadAttachment[] = [];
  let total = 0;
  for (const [index, attachment] of given.entries()) {
    const { content, contentType = 'text/plain', encoding } = attachment;
    const field = `attachments.${index}.content`;
    const context = encoding === 'base64' ? codec.fromBase64(content) : Buffer.from(content);
    if (!context) return { rejection: fieldFlaw(field, 'is not base64') };
    if (context.length > EACH)
      return { rejection: fieldFlaw(field, `has ${context.length} bytes; at most ${EACH} are allowed`) };
    total += context.length;
    read.push({ ...attachment, contentType, context });
  }
  if (total > TOGETHER)
    return {
      rejection: fieldFlaw('attachments', `have ${total} bytes together; at most ${TOGETHER} are allowed`),
    };
  return { value: read };
}

/** The content as it was sent: what is base64 stays so, and says it. */
export function fileEntry({ name, content, contentType, encoding }: ReadAttachment, codec: Codec): NewEntry {
  const metadata: JsonObject = {
    path: name,
    contentType,
    ...(encoding === 'base64' && { encoding }),
  };
  const seen = { contextType: 'file', content, metadata };
  return { contextType: 'file', payload: payloadOf(seen, codec), kinds: ['file'], seen };
}
