/** Turns parts of commands into facts of entries, and back. Hex stays as it is; absent stays absent. */
import { isFields } from '../fields.js';
import type { Json, JsonObject } from '../log/json.js';
import type { Judgement, NewAsk, NewClaim, OperationCommand, Verdict } from './command.js';
import type { BoundBy } from './state.js';
import { ClaimKind, ClaimSource, Effect, ReasonCode } from './words.js';

type Text = Json | undefined;
const isText = (value: Text): value is string => typeof value === 'string';
const isNumber = (value: Text): value is number => typeof value === 'number';

export function oneOf<T extends string>(words: Readonly<Record<string, T>>, value: Text): T | undefined {
  return Object.values(words).find((word) => word === value);
}

export const textList = (value: Text): readonly string[] =>
  Array.isArray(value) ? value.filter(isText) : [];

type Earlier = Pick<
  Extract<OperationCommand, { kind: 'create' }>,
  'request' | 'likeness' | 'replaces' | 'repeats'
>;

/** What ties a new record to earlier ones. */
export function earlierFacts({ request, likeness, replaces, repeats }: Earlier): JsonObject {
  return {
    ...(request !== undefined && { request }),
    ...(likeness !== undefined && { likeness }),
    ...(replaces && { replaces: { id: replaces.id, at: replaces.at } }),
    ...(repeats && {
      repeats: {
        id: repeats.id,
        at: repeats.at,
        effect: repeats.effect,
        ...(repeats.steps && { steps: [...repeats.steps] }),
      },
    }),
  };
}

export function earlierFromFacts({ request, likeness, replaces, repeats }: JsonObject): Earlier {
  const effect = isFields(repeats) ? oneOf(Effect, repeats.effect as Json) : undefined;
  return {
    ...(isText(request) && { request }),
    ...(isText(likeness) && { likeness }),
    ...(isFields(replaces) && { replaces: { id: String(replaces.id), at: Number(replaces.at) } }),
    ...(isFields(repeats) &&
      effect && {
        repeats: {
          id: String(repeats.id),
          at: Number(repeats.at),
          effect,
          ...(repeats.steps !== undefined && { steps: textList(repeats.steps as Json) }),
        },
      }),
  };
}

export function askFacts(ask: NewAsk): JsonObject {
  const { id, clientAsk, steps, account, head, nonce, pendingNonce, session, nextSession } = ask;
  return {
    ask: id,
    ...(clientAsk !== undefined && { client_ask: clientAsk }),
    steps: [...steps],
    ...(account !== undefined && { account }),
    ...(head !== undefined && { head }),
    ...(nonce !== undefined && { nonce }),
    ...(pendingNonce !== undefined && { pending_nonce: pendingNonce }),
    ...(session && {
      session: {
        id: session.sessionId,
        owner: session.owner,
        permit_expiry: session.permitExpiry,
        ...(session.fresh && { fresh: true }),
      },
    }),
    ...(nextSession !== undefined && { next_session: nextSession }),
  };
}

export function askFromFacts(facts: JsonObject): NewAsk {
  const { ask, client_ask, steps, account, head, nonce, pending_nonce, session, next_session } = facts;
  return {
    id: String(ask),
    ...(isText(client_ask) && { clientAsk: client_ask }),
    steps: textList(steps),
    ...(isText(account) && { account }),
    ...(isNumber(head) && { head }),
    ...(isNumber(nonce) && { nonce }),
    ...(isNumber(pending_nonce) && { pendingNonce: pending_nonce }),
    ...(isFields(session) && {
      session: {
        sessionId: String(session.id),
        owner: String(session.owner),
        permitExpiry: Number(session.permit_expiry),
        ...(session.fresh === true && { fresh: true }),
      },
    }),
    ...(isText(next_session) && { nextSession: next_session }),
  };
}

export function claimFacts({ step, kind, value, ask, source, owner, contract }: NewClaim): JsonObject {
  return {
    ...(step !== undefined && { step }),
    kind,
    value,
    ...(ask !== undefined && { ask }),
    source,
    ...(owner !== undefined && { owner }),
    ...(contract !== undefined && { contract }),
  };
}

export function claimFromFacts(facts: JsonObject): NewClaim | undefined {
  const { step, value, ask, owner, contract } = facts;
  const kind = oneOf(ClaimKind, facts.kind);
  const source = oneOf(ClaimSource, facts.source);
  if (!kind || !source || !isText(value)) return undefined;
  return {
    ...(isText(step) && { step }),
    kind,
    value,
    ...(isText(ask) && { ask }),
    source,
    ...(isText(owner) && { owner }),
    ...(isText(contract) && { contract }),
  };
}

const VERDICTS: Readonly<Record<Verdict, Verdict>> = {
  pending: 'pending',
  reorged: 'reorged',
  shallow: 'shallow',
  faster: 'faster',
  matched: 'matched',
  reverted: 'reverted',
  replaced: 'replaced',
  different: 'different',
  aside: 'aside',
};
const BOUND: Readonly<Record<BoundBy, BoundBy>> = {
  from: 'from',
  expected_signer: 'expected_signer',
  ask: 'ask',
};

export function judgementFacts(judgement: Judgement): JsonObject {
  const { step, value, verdict, serves, block, carrier, proof, boundBy, contract } = judgement;
  const { sender, nonce, reason, detail, by, frames, kind, owners, fee } = judgement;
  return {
    ...(step !== undefined && { step }),
    value,
    verdict,
    ...(serves !== undefined && { serves }),
    ...(block && { block: block.number, block_hash: block.hash }),
    ...(carrier !== undefined && { carrier }),
    ...(frames && { frames: [...frames] }),
    ...(proof !== undefined && { proof }),
    ...(kind !== undefined && { kind }),
    ...(owners !== undefined && { owners }),
    ...(fee !== undefined && { fee }),
    ...(boundBy !== undefined && { bound_by: boundBy }),
    ...(contract !== undefined && { contract }),
    ...(sender !== undefined && { sender }),
    ...(nonce !== undefined && { nonce }),
    ...(reason !== undefined && { reason }),
    ...(detail !== undefined && { detail }),
    ...(by !== undefined && { by }),
  };
}

export function judgementFromFacts(facts: JsonObject): Judgement | undefined {
  const { step, value, serves, block, block_hash, carrier, proof, contract } = facts;
  const { sender, nonce, detail, by, frames, owners, fee } = facts;
  const kind = oneOf(ClaimKind, facts.kind);
  const verdict = oneOf(VERDICTS, facts.verdict);
  const boundBy = oneOf(BOUND, facts.bound_by);
  const reason = oneOf(ReasonCode, facts.reason);
  if (!verdict || !isText(value)) return undefined;
  return {
    ...(isText(step) && { step }),
    value,
    verdict,
    ...(isText(serves) && { serves }),
    ...(isNumber(block) && { block: { number: block, hash: String(block_hash) } }),
    ...(isText(carrier) && { carrier }),
    ...(frames !== undefined && { frames: textList(frames) }),
    ...(isText(proof) && { proof }),
    ...(kind && { kind }),
    ...(isNumber(owners) && { owners }),
    ...(isText(fee) && { fee }),
    ...(boundBy && { boundBy }),
    ...(isText(contract) && { contract }),
    ...(isText(sender) && { sender }),
    ...(isNumber(nonce) && { nonce }),
    ...(reason && { reason }),
    ...(isText(detail) && { detail }),
    ...(isText(by) && { by }),
  };
}
