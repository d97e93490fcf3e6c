/**
 * From what the node says of a session to what is recorded of it. The rules are those of transactions (review:C3,
 * review:C4): its owner is bound, it is newer than that, and it serves one step of the whole server: that of whoever
 * has the best right to it.
 */
import {
  type ClaimState,
  CONTESTED,
  type Judgement,
  ReasonCode,
  RejectionCode,
  type StepState,
  sessionStanding,
} from '@handover/core';
import type { Proof } from '../../services/operations/families/family.js';
import type { OperationRecord } from '../../services/operations/record.js';
import { placeOf, servedWhom, submitTaking } from './carriers.js';
import type { JudgeParts } from './judge-parts.js';
import { prove } from './prove.js';
import { isOthersFirst } from './session-rights.js';

type News = Omit<Judgement, 'step' | 'value'>;

/** Whether anything was recorded. */
export async function judgeSession(
  parts: JudgeParts,
  record: OperationRecord,
  step: StepState,
  claim: ClaimState,
): Promise<boolean> {
  const found = await prove(parts, record, { step, claim });
  const news = await afterOthers(parts, record, claim, newsOf(record, step, claim, found));
  const answer = await submit(parts, record, step, claim, news);
  if (answer.ok) return answer.results.some(({ entries }) => entries.length > 0);
  if (answer.rejection.code !== RejectionCode.CONFLICT) return false;
  const isOthers = (await servedWhom(parts, record, found.carrier ?? '')) === 'others';
  const detail = isOthers ? { detail: CONTESTED } : {};
  const used: News = { verdict: 'aside', reason: ReasonCode.HashUsed, ...detail, ...placeOf(found) };
  return (await submit(parts, record, step, claim, used)).ok;
}

/** Who has a better right to it is judged first. */
async function afterOthers(
  parts: JudgeParts,
  record: OperationRecord,
  { owner, value: sessionId }: ClaimState,
  news: News,
): Promise<News> {
  if (news.verdict !== 'matched' || owner === undefined) return news;
  if (!(await isOthersFirst(parts, record, { owner, sessionId }))) return news;
  return { verdict: 'pending', reason: ReasonCode.Unverified, detail: 'asked_elsewhere' };
}

function newsOf({ state }: OperationRecord, step: StepState, claim: ClaimState, found: Proof): News {
  const { verdict, detail } = found;
  const { owner, value: sessionId } = claim;
  if (verdict !== 'matched' || owner === undefined)
    return { verdict: 'pending', ...(detail !== undefined && { detail }) };
  const standing = sessionStanding(state, step, { owner, sessionId });
  switch (standing.is) {
    case 'new':
      return { verdict, ...placeOf(found), boundBy: standing.boundBy };
    case 'unbound':
      return { verdict: 'pending', reason: ReasonCode.SenderUnbound };
    case 'old':
      return { verdict: 'aside', reason: ReasonCode.TooOld, ...placeOf(found) };
    case 'ageless':
      return { verdict: 'pending', reason: ReasonCode.Unverified, detail: 'age_unknown' };
  }
}

function submit(
  parts: JudgeParts,
  record: OperationRecord,
  step: StepState,
  { value }: ClaimState,
  news: News,
) {
  const judgement = { step: step.id, value, ...news };
  const taken = news.verdict === 'matched' && news.carrier !== undefined ? [{}] : [];
  return submitTaking(parts, record, step.id, [{ kind: 'judge', judgement }], news.carrier ?? '', taken);
}
