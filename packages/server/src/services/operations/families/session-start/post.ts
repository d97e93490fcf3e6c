/** What the page of a session start posts while it works through its queue. */
import { isFields, isText, StepStatus } from '@handover/core';
import { isAddress } from '@handover/evm';
import { documentBytes } from '../../document.js';
import { bad, notes, readAccount, smallPost } from '../status-post.js';

const KEYS = new Set(['secret', 'index', 'stepStatus', 'sessionId', 'owner', 'account', 'error']);
const WORDS: Readonly<Record<string, StepStatus>> = {
  requested: StepStatus.Requested,
  started: StepStatus.Submitted,
  failed: StepStatus.Failed,
};

export const readProgress = smallPost((deps, { state }, body) => {
  if (!isFields(body)) return bad('the body must be an object');
  const extra = Object.keys(body).find((key) => !KEYS.has(key));
  if (extra !== undefined) return bad(`${extra} is not a field of progress`);
  const { index, stepStatus, sessionId, owner } = body;
  const status =
    typeof stepStatus === 'string' && Object.hasOwn(WORDS, stepStatus) ? WORDS[stepStatus] : undefined;
  if (!status) return bad('stepStatus must be requested, started or failed');
  if (typeof index !== 'number' || !Number.isSafeInteger(index) || index < 0) return bad('index is missing');
  const read = readAccount(body.account);
  if ('rejection' in read) return read;
  const { value: account } = read;
  const started = status === StepStatus.Submitted;
  if (started && (!isText(sessionId) || !/^\d{1,78}$/.test(sessionId) || !isAddress(owner)))
    return bad('a started session needs sessionId (digits) and owner (an address)');
  const claim = started ? { sessionId: String(sessionId), owner: String(owner).toLowerCase() } : {};
  return {
    value: {
      kind: 'post',
      status: state.status,
      step: { id: `sessions.${index}`, status, claim },
      ...(account !== undefined && { account }),
      payload: documentBytes(deps.codec, notes({ error: body.error })),
    },
  };
});
