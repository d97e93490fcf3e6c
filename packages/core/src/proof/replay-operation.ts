/** An operation's entries as the commands that made them. The service made the payloads; core never looks inside. */
import { isFields } from '../fields.js';
import type { Entry } from '../log/entry.js';
import type { Json, JsonObject } from '../log/json.js';
import type { NewStep, OperationCommand } from '../operation/command.js';
import { OperationEntryType } from '../operation/entry-type.js';
import {
  askFromFacts,
  claimFromFacts,
  earlierFromFacts,
  judgementFromFacts,
  oneOf,
  textList,
} from '../operation/facts.js';
import { operationDecider, type StoredOperation } from '../operation/operation-decider.js';
import { rev1Decider } from '../operation/rev1/rev1-decider.js';
import type { ClosedBy } from '../operation/state.js';
import { callFromFacts } from '../operation/step-call.js';
import { AskAnswer, Family, OperationStatus, Verification } from '../operation/words.js';
import type { EarlierQuestion, Question, Replay } from './replay.js';
import { rev1CommandOf } from './replay-operation-rev1.js';

export const operationReplay: Replay<StoredOperation, OperationCommand> = {
  decider: operationDecider,
  dueTick(state, entry, context) {
    const isOld = state.rev === 1 && entry.type !== OperationEntryType.RulesRaised;
    const due = isOld ? rev1Decider.due(state) : operationDecider.due(state);
    if (due === undefined || due > entry.at) return undefined;
    return isOld ? rev1Decider.tick(state, context) : operationDecider.tick(state, context);
  },
  retell(state, entry): Question<StoredOperation, OperationCommand> | EarlierQuestion | string {
    if (isOfRev1(state, entry)) return rev1Question(state, entry);
    const command = commandOf(entry);
    return typeof command === 'string' ? command : { state, command, consulted: {} };
  },
};

const isOfRev1 = (state: StoredOperation | undefined, { type, facts }: Entry): boolean =>
  state ? state.rev === 1 && type !== OperationEntryType.RulesRaised : facts.rev === undefined;

function rev1Question(state: StoredOperation | undefined, entry: Entry): EarlierQuestion | string {
  const command = rev1CommandOf(entry);
  if (typeof command === 'string') return command;
  const old = state?.rev === 1 ? state : undefined;
  return { decide: (stamp, context) => rev1Decider.decide(old, command, stamp, context) };
}

const unknown = (fact: string): string => `facts.${fact} is unknown to this version`;

function commandOf({ type, facts, payload, at }: Entry): OperationCommand | string {
  switch (type) {
    case OperationEntryType.Created:
      return created(facts, at, payload);
    case OperationEntryType.RulesRaised:
      return { kind: 'raise' };
    case OperationEntryType.Posted: {
      const status = oneOf(OperationStatus, facts.status);
      if (!status) return unknown('status');
      return {
        kind: 'begin',
        status,
        ...(typeof facts.account === 'string' && { account: facts.account }),
        ...(typeof facts.head === 'number' && { head: facts.head }),
        payload,
      };
    }
    case OperationEntryType.Asked:
      return { kind: 'ask', ask: askFromFacts(facts) };
    case OperationEntryType.Answered:
      return answered(facts, payload);
    case OperationEntryType.Claimed: {
      const claim = claimFromFacts(facts);
      return claim ? { kind: 'claim', claim } : unknown('kind');
    }
    case OperationEntryType.Judged: {
      const judgement = judgementFromFacts(facts);
      return judgement ? { kind: 'judge', judgement } : unknown('verdict');
    }
    case OperationEntryType.AskSettled:
      return {
        kind: 'settleAsk',
        ask: String(facts.ask),
        ...(typeof facts.through === 'number' && { through: facts.through }),
      };
    case OperationEntryType.Closing:
      return {
        kind: 'close',
        by: facts.by as ClosedBy,
        ...(typeof facts.replaced_by === 'string' && { replacedBy: facts.replaced_by }),
      };
    case OperationEntryType.Result: {
      const outcome = oneOf(OperationStatus, facts.outcome);
      return outcome
        ? { kind: 'result', outcome, digest: String(facts.digest), payload }
        : unknown('outcome');
    }
    case OperationEntryType.Verified:
      return resultJudged(facts);
    default:
      return `type ${type} is not what was due, or unknown to this version`;
  }
}

function created(facts: JsonObject, at: number, payload: Uint8Array): OperationCommand | string {
  const family = oneOf(Family, facts.family);
  if (!family) return unknown('family');
  const steps = Array.isArray(facts.steps) ? facts.steps : [];
  return {
    kind: 'create',
    family,
    chainId: Number(facts.chain_id),
    ttlMs: Number(facts.expires_at) - at,
    lateMs: Number(facts.late_ms),
    digest: String(facts.digest),
    watched: facts.watched === true,
    ...(typeof facts.head === 'number' && { head: facts.head }),
    ...(typeof facts.signer === 'string' && { signer: facts.signer }),
    ...(typeof facts.next_session === 'string' && { nextSession: facts.next_session }),
    ...earlierFromFacts(facts),
    steps: steps.filter((one: Json): one is JsonObject => isFields(one)).map(newStep),
    payload,
  };
}

function newStep({ id, from, skipped, like, call: asked }: JsonObject): NewStep {
  const call = callFromFacts(asked);
  return {
    id: String(id),
    ...(typeof from === 'string' && { from }),
    ...(skipped === true && { skipped: true }),
    ...(typeof like === 'string' && { like }),
    ...(call && { call }),
  };
}

function answered(facts: JsonObject, payload: Uint8Array): OperationCommand | string {
  const answer = oneOf(AskAnswer, facts.answer);
  if (!answer || answer === AskAnswer.Claim) return unknown('answer');
  const { ask, wallet_code } = facts;
  return {
    kind: 'answer',
    ask: String(ask),
    answer,
    ...(typeof wallet_code === 'number' && { walletCode: wallet_code }),
    payload,
  };
}

function resultJudged(facts: JsonObject): OperationCommand | string {
  const verdict = oneOf(Verification, facts.verdict);
  if (!verdict || verdict === Verification.Unverified) return unknown('verdict');
  const { reason } = facts;
  return {
    kind: 'judgeResult',
    digest: String(facts.result),
    verdict,
    shown: textList(facts.shown),
    ...(typeof reason === 'string' && { reason }),
  };
}
