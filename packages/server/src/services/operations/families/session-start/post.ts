/** What the page of a session start posts while it works through its queue. */
import {
  ClaimKind,
  ClaimSource,
  type Fields,
  isFields,
  isText,
  type NewClaim,
  type SessionAsk,
} from '@handover/core';
import { isAddress } from '@handover/evm';
import type { Outcome } from '../../../outcome.js';
import type { PageWish } from '../page-wish.js';
import { bad, smallPost, stepWish } from '../status-post.js';

const KEYS = new Set([
  'secret',
  'index',
  'stepStatus',
  'sessionId',
  'owner',
  'permitExpiry',
  'account',
  'error',
  'askId',
  'clientAsk',
  'answer',
  'walletCode',
]);

export const readProgress = smallPost((deps, _record, body) => {
  if (!isFields(body)) return bad('the body must be an object');
  const extra = Object.keys(body).find((key) => !KEYS.has(key));
  if (extra !== undefined) return bad(`${extra} is not a field of progress`);
  const { index, stepStatus } = body;
  if (typeof index !== 'number' || !Number.isSafeInteger(index) || index < 0) return bad('index is missing');
  const fields = { ...body, stepId: `sessions.${index}` };
  switch (stepStatus) {
    case 'requested':
      return asked(stepWish(deps, fields, 'requested'), body);
    case 'started':
      return started(fields);
    case 'failed':
      return stepWish(deps, fields, 'failed');
    default:
      return bad('stepStatus must be requested, started or failed');
  }
});

/** What a page knows before it asks lets the server look for the session without being told. */
function asked(wish: Outcome<PageWish>, body: Fields): Outcome<PageWish> {
  if ('rejection' in wish || wish.value.kind !== 'ask') return wish;
  if (body.sessionId === undefined) return wish;
  const session = sessionOf(body);
  return session
    ? { value: { ...wish.value, session } }
    : bad('sessionId, owner and permitExpiry belong together');
}

function sessionOf({ sessionId, owner, permitExpiry }: Fields): SessionAsk | undefined {
  if (!isSession(sessionId) || !isAddress(owner) || typeof permitExpiry !== 'number') return undefined;
  if (!Number.isSafeInteger(permitExpiry) || permitExpiry < 0) return undefined;
  return { sessionId, owner: owner.toLowerCase(), permitExpiry };
}

const isSession = (value: unknown): value is string => isText(value) && /^\d{1,78}$/.test(value);

function started({ stepId, sessionId, owner, askId }: Fields): Outcome<PageWish> {
  if (!isSession(sessionId) || !isAddress(owner))
    return bad('a started session needs sessionId (digits) and owner (an address)');
  const claim: NewClaim = {
    step: String(stepId),
    kind: ClaimKind.Session,
    value: sessionId,
    owner: owner.toLowerCase(),
    source: ClaimSource.Page,
    ...(isText(askId) && { ask: askId }),
  };
  return { value: { kind: 'claims', claims: [claim] } };
}
