/** Whether an answer admits that something went wrong inside: the same at HTTP, the pages and MCP. */
import { isFields } from '@handover/core';
import type { Flaw } from '../target.js';
import type { Answer } from './http-wire.js';

const INTERNAL = new Set<unknown>(['INTERNAL_ERROR', -32_603]);
/** Said with the code of an internal error, and meant as a limit. */
const LIMITS = /Subscription limit reached/;

export function judgeHttp(what: string, answer: Answer, mayBeCutOff: boolean): Flaw | undefined {
  if (answer.timedOut) return { kind: 'unanswered', what: `${what}: no answer within 15 s` };
  if (answer.status === 0)
    return mayBeCutOff ? undefined : { kind: 'unanswered', what: `${what}: cut off without an answer` };
  if (answer.status >= 500)
    return { kind: 'internal', what: `${what}: HTTP ${answer.status} ${answer.body.slice(0, 300)}` };
  const inside = messagesIn(answer)
    .map((message) => internalIn(message))
    .find((found) => found !== undefined);
  return inside === undefined ? undefined : { kind: 'internal', what: `${what}: ${inside}` };
}

/** The JSON of a body, or of the events of a stream. */
export function messagesIn({ headers, body }: Answer): readonly unknown[] {
  const isEvents = headers.get('content-type')?.startsWith('text/event-stream') === true;
  const texts = isEvents
    ? body.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []))
    : [body];
  return texts.flatMap((text) => {
    try {
      return [JSON.parse(text) as unknown];
    } catch {
      return [];
    }
  });
}

/** What it says where a code of an internal error stands. */
export function internalIn(value: unknown, depth = 0): string | undefined {
  if (depth > 6 || typeof value !== 'object' || value === null) return undefined;
  if (isFields(value) && (INTERNAL.has(value.code) || INTERNAL.has(value.errorCode))) {
    const said = JSON.stringify(value).slice(0, 300);
    return LIMITS.test(said) ? undefined : said;
  }
  for (const member of Object.values(value)) {
    const found = internalIn(member, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
