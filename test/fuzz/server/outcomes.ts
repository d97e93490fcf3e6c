/** How the cases were answered: shows whether they get anywhere, or are all refused at the first step. */
import { isFields } from '@handover/core';

const counts = new Map<string, Map<string, number>>();

export function saw(target: string, outcome: string): void {
  const own = counts.get(target) ?? new Map<string, number>();
  counts.set(target, own);
  own.set(outcome, (own.get(outcome) ?? 0) + 1);
}

/** The most frequent ones, as one line. */
export function outcomesOf(target: string, most = 12): string {
  const own = [...(counts.get(target) ?? [])].sort(([, one], [, other]) => other - one);
  return own
    .slice(0, most)
    .map(([outcome, count]) => `${outcome} ${count}`)
    .join(', ');
}

/** The word for an answer in JSON: ok, or the code of its error. */
export function outcomeIn(message: unknown): string {
  if (!isFields(message)) return 'none';
  const { error, code, ok, result } = message;
  if (isFields(error)) return String(error.code);
  if (typeof error === 'string' || typeof code === 'string') return String(error ?? code).slice(0, 40);
  if (!isFields(result)) return ok === true ? 'ok' : 'other';
  const { isError, content } = result;
  if (isError !== true || !Array.isArray(content)) return 'ok';
  return String((JSON.parse(content[0].text) as { errorCode: string }).errorCode);
}
