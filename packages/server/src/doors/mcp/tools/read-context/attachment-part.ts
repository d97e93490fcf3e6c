/** One attachment, or as much of it as the caller has room for. */
import type { JsonObject } from '@handover/core';
import type { Principal } from '../../../../auth/principal.js';
import { LongWork } from '../../../../platform/long-work.js';
import { fieldFlaw } from '../../../../services/handoffs/field-flaw.js';
import { whoeverWrote } from '../../../../services/handoffs/shown/written-by.js';
import type { AttachmentContent, HandoffService } from '../../../../services/handoffs/types.js';
import type { Outcome } from '../../../../services/outcome.js';
import { longPartOf } from '../../long-text.js';
import { jsonBytes } from '../../token-room.js';
import { attachmentJson } from '../../translate.js';
import type { ReadContextArgs } from '../read-context.js';
import { DEFAULT_TOKENS } from '../result-tokens.js';
import { nextCall, roomIn } from './result-room.js';

type Args = ReadContextArgs & { readonly handoffId: string; readonly attachment: number };

export async function readAttachmentPart(
  handoffs: HandoffService,
  principal: Principal,
  args: Args,
): Promise<Outcome<JsonObject>> {
  const { handoffId, attachment, offset = 0, maxTokens = DEFAULT_TOKENS } = args;
  const got = await handoffs.readAttachment(principal, { handoffId, attachment });
  if ('rejection' in got) return got;
  const { text: _, base64: __, mediaType: ___, from, ...about } = got.value;
  const described = attachmentJson(about);
  const provenance = whoeverWrote([from], principal.agent);
  const next = (at: number) => nextCall(args, { attachment, offset: at });
  const frame = { handoffId, attachment: {}, next: next(MOST), provenance };
  const shown = { ...described, offset: MOST, truncated: true, nextOffset: MOST, base64: '' };
  const room = roomIn(frame, shown, maxTokens);
  if (typeof room !== 'number') return { rejection: room };
  const part = await new LongWork().run(partOfContent(got.value, offset, room - jsonBytes(shown)));
  if (!part) return { rejection: fieldFlaw('offset', 'is beyond the end of the attachment') };
  const { content, nextOffset } = part;
  return {
    value: {
      handoffId,
      attachment: {
        ...described,
        ...(offset > 0 && { offset }),
        ...(nextOffset !== undefined && { truncated: true, nextOffset }),
        ...content,
      },
      ...(nextOffset !== undefined && { next: next(nextOffset) }),
      provenance,
    },
  };
}

/** More than any offset in what one message can carry. */
const MOST = 99_999_999;

interface ContentPart {
  readonly content: { readonly text: string } | { readonly base64: string };
  readonly nextOffset?: number;
}

/** Text is counted in code points, anything else in bytes: in steps of 3, so that the pieces of base64 join. */
function* partOfContent(
  { text, base64 = '', bytes }: AttachmentContent,
  offset: number,
  room: number,
): Generator<number, ContentPart | undefined> {
  if (text !== undefined) {
    const part = yield* longPartOf(text, offset, room);
    if (!part) return undefined;
    return { content: { text: part.text }, ...(!part.isWhole && { nextOffset: offset + part.length }) };
  }
  if (offset > bytes) return undefined;
  const end = offset + Math.floor(room / 4) * 3;
  const piece = Buffer.from(base64, 'base64').subarray(offset, end).toString('base64');
  return { content: { base64: piece }, ...(end < bytes && { nextOffset: end }) };
}
