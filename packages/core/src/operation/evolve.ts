/** Folds the entries of an operation into its state. */
import { FaultCode, HandoverError } from '../fault.js';
import { isFields } from '../fields.js';
import type { EntryHead } from '../log/entry.js';
import type { Json, JsonObject } from '../log/json.js';
import { unseenAside } from './claims-of-asks.js';
import { isWaiting } from './effect.js';
import { OperationEntryType } from './entry-type.js';
import { claimed, judged, resultJudged } from './evolve-claim.js';
import {
  askFromFacts,
  claimFromFacts,
  earlierFromFacts,
  judgementFromFacts,
  oneOf,
  textList,
} from './facts.js';
import { FAMILIES } from './families/families.js';
import { withReceipt } from './issued.js';
import { settled } from './settle.js';
import {
  AskStanding,
  type AskState,
  type ClosedBy,
  type Closing,
  type ConnectedAccount,
  type OperationFacts,
  type OperationState,
  type StepFacts,
} from './state.js';
import { callFromFacts } from './step-call.js';
import { AskAnswer, Family, OperationStatus, Verification } from './words.js';

/** How long the chain is watched after somebody said that nothing was signed. */
export const QUIET_MS = 10 * 60 * 1000;

export function evolveOperation(state: OperationState | undefined, entry: EntryHead): OperationState {
  if (entry.v !== 1) throw unknownEntry(entry);
  const facts = state ? { ...next(state, entry), seq: entry.seq, updatedAt: entry.at } : created(entry);
  return withReceipt(state, settled(facts));
}

function created(entry: EntryHead): OperationFacts {
  const { facts, actor, at, seq, stream } = entry;
  const family = oneOf(Family, facts.family);
  if (entry.type !== OperationEntryType.Created || facts.rev !== 2 || !family) throw unknownEntry(entry);
  return {
    rev: 2,
    id: stream.id,
    family,
    creator: actor,
    chainId: Number(facts.chain_id),
    digest: String(facts.digest),
    createdAt: at,
    updatedAt: at,
    expiresAt: Number(facts.expires_at),
    lateMs: Number(facts.late_ms),
    watched: facts.watched === true,
    ...(typeof facts.head === 'number' && { head: facts.head }),
    ...(typeof facts.signer === 'string' && { signer: facts.signer }),
    ...(typeof facts.next_session === 'string' && { nextSession: facts.next_session }),
    ...earlierFromFacts(facts),
    beginning: FAMILIES[family].beginnings[0],
    steps: (Array.isArray(facts.steps) ? facts.steps : [])
      .filter((one: Json): one is JsonObject => isFields(one))
      .map(newStep),
    connected: [],
    asks: [],
    loose: [],
    late: false,
    windowOver: false,
    reopened: 0,
    issued: [],
    seq,
  };
}

function newStep(facts: JsonObject): StepFacts {
  const call = callFromFacts(facts.call);
  return {
    id: String(facts.id),
    ...(typeof facts.from === 'string' && { from: facts.from }),
    ...(facts.skipped === true && { skipped: true }),
    ...(typeof facts.like === 'string' && { like: facts.like }),
    ...(call && { call }),
    claims: [],
  };
}

function next(state: OperationState, entry: EntryHead): OperationFacts {
  const { facts, at, seq } = entry;
  switch (entry.type) {
    case OperationEntryType.Posted:
      return {
        ...state,
        beginning: known(OperationStatus, facts.status, entry),
        connected: [...state.connected, ...connectedIn(facts)],
      };
    case OperationEntryType.Asked: {
      const ask = { ...askFromFacts(facts), at, standing: AskStanding.Open };
      return { ...state, asks: [...state.asks, ask] };
    }
    case OperationEntryType.Answered: {
      const answer = known(AskAnswer, facts.answer, entry);
      const code = typeof facts.wallet_code === 'number' ? { walletCode: facts.wallet_code } : {};
      const answered =
        answer === AskAnswer.SaidNotSigned ? { ...state, ...unseenAside(state, String(facts.ask)) } : state;
      return withAsk(answered, facts.ask, (ask) => ({
        ...ask,
        ...code,
        ...standingAfter(answer, at),
        said: [...(ask.said ?? []), answer],
      }));
    }
    case OperationEntryType.AskSettled:
      return withAsk(state, facts.ask, (ask) => ({
        ...ask,
        standing: settledStanding(ask),
        ...(typeof facts.through === 'number' && { through: facts.through }),
      }));
    case OperationEntryType.Claimed: {
      const claim = claimFromFacts(facts);
      if (!claim) throw unknownEntry(entry);
      return claimed(state, claim, at);
    }
    case OperationEntryType.Judged: {
      const judgement = judgementFromFacts(facts);
      if (!judgement) throw unknownEntry(entry);
      return { ...judged(state, judgement, seq), watched: true };
    }
    case OperationEntryType.Result: {
      const outcome = known(OperationStatus, facts.outcome, entry);
      const result = {
        digest: String(facts.digest),
        outcome,
        seq,
        at,
        verification: Verification.Unverified,
      };
      return { ...state, result };
    }
    case OperationEntryType.Verified: {
      const verdict = known(Verification, facts.verdict, entry);
      const reason = typeof facts.reason === 'string' ? facts.reason : undefined;
      return resultJudged(state, verdict, textList(facts.shown), reason);
    }
    case OperationEntryType.Closing:
      return { ...state, closing: closingIn(facts, at) };
    case OperationEntryType.TimeUp:
      return { ...state, late: true };
    case OperationEntryType.WindowOver:
      return { ...state, windowOver: true, asks: state.asks.map(lapsed) };
    default:
      throw unknownEntry(entry);
  }
}

function closingIn({ by, replaced_by }: JsonObject, at: number): Closing {
  return { by: by as ClosedBy, at, ...(typeof replaced_by === 'string' && { replacedBy: replaced_by }) };
}

function connectedIn({ account, head }: JsonObject): readonly ConnectedAccount[] {
  return typeof account === 'string' ? [{ account, ...(typeof head === 'number' && { head }) }] : [];
}

function withAsk(
  state: OperationFacts,
  id: JsonObject[string] | undefined,
  change: (ask: AskState) => AskState,
): OperationFacts {
  return { ...state, asks: state.asks.map((ask) => (ask.id === id ? change(ask) : ask)) };
}

function standingAfter(answer: AskAnswer, at: number): Pick<AskState, 'standing' | 'quietUntil'> {
  switch (answer) {
    case AskAnswer.Refused:
      return { standing: AskStanding.Refused };
    case AskAnswer.NotOpened:
      return { standing: AskStanding.NotOpened };
    case AskAnswer.Unclear:
      return { standing: AskStanding.Unclear };
    case AskAnswer.SaidNotSigned:
      return { standing: AskStanding.Quiet, quietUntil: at + QUIET_MS };
    case AskAnswer.Claim:
      return { standing: AskStanding.Claimed };
  }
}

const settledStanding = ({ standing }: AskState): AskStanding =>
  standing === AskStanding.Quiet ? AskStanding.NotSigned : AskStanding.Gone;

const lapsed = (ask: AskState): AskState =>
  isWaiting(ask) || ask.standing === AskStanding.Quiet ? { ...ask, standing: AskStanding.Lapsed } : ask;

function known<T extends string>(
  words: Readonly<Record<string, T>>,
  value: JsonObject[string] | undefined,
  entry: EntryHead,
): T {
  const word = oneOf(words, value);
  if (!word) throw unknownEntry(entry);
  return word;
}

export function unknownEntry(entry: EntryHead): HandoverError {
  const message = `entry ${entry.seq} has type ${entry.type} version ${entry.v}, which this version cannot read`;
  return new HandoverError(FaultCode.DATA_LOSS, message, {
    details: { operation: entry.stream.id, seq: entry.seq },
  });
}
