/** Tells the server how an ask ended, by the token of the ask. */
import { plainText } from '../format/plain-text.js';
import type { Report } from './outbox-store.js';

const OPTIONS: RequestInit = {
  method: 'POST',
  cache: 'no-store',
  credentials: 'omit',
  referrerPolicy: 'no-referrer',
  redirect: 'error',
};
const TIMEOUT_MS = 20_000;

/** Undefined: no answer. `leaving`: the browser sends it even though the page goes. */
export async function postReport(
  path: string,
  token: string,
  { action, body }: Report,
  leaving = false,
): Promise<Response | undefined> {
  const headers = { Authorization: `Ask ${token}`, 'Content-Type': 'application/json' };
  const how = leaving ? { keepalive: true } : { signal: AbortSignal.timeout(TIMEOUT_MS) };
  try {
    return await fetch(`${path}/${action}`, { ...OPTIONS, ...how, headers, body: JSON.stringify(body) });
  } catch {
    return undefined;
  }
}

export async function sentenceOf(answer: Response): Promise<string> {
  const body: unknown = await answer.json().catch(() => undefined);
  const said =
    body !== null && typeof body === 'object' && 'message' in body && typeof body.message === 'string'
      ? body.message
      : undefined;
  return said === undefined ? `The server answered ${answer.status}.` : plainText(said, 300);
}
