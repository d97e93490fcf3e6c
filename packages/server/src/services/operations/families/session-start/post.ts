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
import { sessionNumber } from '../../../../chain/check-session.js';
import type { Outcome } from '../../../outcome.js';
import type { OperationDependencies } from '../../dependencies.js';
import type { OperationRecord } from '../../record.js';
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

export const readProgress = smallPost((deps, record, body) => {
  if (!isFields(body)) return bad('the body must be an object');
  const extra = Object.keys(body).find((key) => !KEYS.has(key));
  if (extra !== undefined) return bad(`${extra} is not a field of progress`);
  const { index, stepStatus } = body;
  if (typeof index !== 'number' || !Number.isSafeInteger(index) || index < 0) return bad('index is missing');
  const fields = { ...body, stepId: stepOf(index) };
  switch (stepStatus) {
    case 'requested':
      return asked(deps, record, index, body);
    case 'started':
      return started(fields);
    case 'failed':
      return stepWish(deps, fields, 'failed');
    default:
      return bad('stepStatus must be requested, started or failed');
  }
});

/** What a page knows before it asks lets the server look for the session without being told. */
async function asked(
  deps: OperationDependencies,
  record: OperationRecord,
  index: number,
  body: Fields,
): Promise<Outcome<PageWish>> {
  const wish = stepWish(deps, { ...body, stepId: stepOf(index) }, 'requested');
  if ('rejection' in wish || wish.value.kind !== 'ask') return wish;
  if (body.sessionId === undefined) return wish;
  const session = sessionOf(body);
  if (!session)
    return bad('sessionId (digits), owner (an address) and permitExpiry (Unix seconds) belong together');
  const { account = session.owner } = wish.value;
  if (account !== session.owner) return bad('owner must be the account whose wallet is asked');
  const named = await deps.documents.derive(record, 'permitEnd', { index });
  if ('rejection' in named) return named;
  const flaw = expiryFlaw(session.permitExpiry, named.value, deps.now());
  return flaw === undefined ? { value: { ...wish.value, account, session } } : bad(flaw);
}

/** By the end of its permit it is judged whether a session can still be started, so the page's word alone is not enough. */
function expiryFlaw(permitExpiry: number, named: number | undefined, now: number): string | undefined {
  if (named !== undefined && permitExpiry !== named)
    return `permitExpiry must be ${named}, as the request says`;
  return permitExpiry * 1_000 > now
    ? undefined
    : 'permitExpiry must be in the future: a permit that has run out starts nothing';
}

function sessionOf({ sessionId, owner, permitExpiry }: Fields): SessionAsk | undefined {
  const number = sessionNumber(sessionId);
  if (number === undefined || !isAddress(owner) || typeof permitExpiry !== 'number') return undefined;
  if (!Number.isSafeInteger(permitExpiry)) return undefined;
  return { sessionId: number, owner: owner.toLowerCase(), permitExpiry };
}

const stepOf = (index: number): string => `sessions.${index}`;

function started({ stepId, sessionId, owner, askId }: Fields): Outcome<PageWish> {
  const value = sessionNumber(sessionId);
  if (value === undefined || !isAddress(owner))
    return bad('a started session needs sessionId (digits) and owner (an address)');
  const claim: NewClaim = {
    step: String(stepId),
    kind: ClaimKind.Session,
    value,
    owner: owner.toLowerCase(),
    source: ClaimSource.Page,
    ...(isText(askId) && { ask: askId }),
  };
  return { value: { kind: 'claims', claims: [claim] } };
}
