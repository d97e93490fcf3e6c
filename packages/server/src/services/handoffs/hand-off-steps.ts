/**
 * The steps of a handoff in one call, in the order of the log: the registration if the working session is new, what its
 * owner says, the end of the offers that it takes the place of, the instruction, and with a receiver the request
 * and the session that carries the offer. All of it happens, or nothing.
 */
import {
  ANYONE,
  CommitBy,
  Control,
  handoffPayloads,
  noteId,
  ParkedBy,
  type PendingHandoff,
  type RequestType,
  type Step,
  type StreamRef,
  type WorklogState,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { Connection } from '../connection.js';
import { sessionRef } from '../stream-refs.js';
import type { AddedEntry } from './build-package.js';
import { withName } from './content-type.js';
import type { HandoffDependencies } from './dependencies.js';
import type { GatheredSession } from './gather-session.js';
import type { ReadAttachment } from './hand-off-attachments.js';
import type { NewEntry } from './hand-off-entry.js';
import type { Committing } from './handoff-steps.js';
import { formatHandoffId, OFFER_ID } from './ids.js';
import { type Message, message } from './messages.js';
import { moveMessages } from './move-messages.js';
import { payloadOf } from './payloads.js';
import { whereFrom } from './register-session.js';

export interface HandOffPlan {
  /** Of the request: every other id is made of it. */
  readonly id: string;
  readonly ref: StreamRef<'worklog'>;
  /** Absent: it is registered with this. */
  readonly state: WorklogState | undefined;
  readonly entries: readonly NewEntry[];
  readonly until: number;
  readonly requestType: RequestType;
  /** It is only a note: the working session that it is about. */
  readonly about?: string;
  /** Same key, same digest: the same request. */
  readonly requestDigest: string;
  /** Everything up to the last of the entries. */
  readonly gathered: GatheredSession;
  /** Earlier offers that it takes the place of. */
  readonly replaced: readonly PendingHandoff[];
  /** Absent: it is left for whoever comes next. */
  readonly offer?: {
    readonly to: string;
    readonly committing: Committing;
    readonly policy: string;
    readonly ttlMs: number;
    readonly attachments: readonly ReadAttachment[];
    readonly added?: AddedEntry;
  };
}

export type HandOffStep = Step<'worklog'> | Step<'session'>;

export interface HandOffSteps {
  readonly steps: readonly HandOffStep[];
  /** The last step of the working session: what it has stored tells a retry from another request. */
  readonly anchor: number;
  /** Those of the session that carries the offer, with what is wrong with them. */
  readonly messages: readonly Message[];
  readonly bytes: number;
}

export async function handOffSteps(
  deps: HandoffDependencies,
  principal: Principal,
  plan: HandOffPlan,
  connection: Connection | undefined,
): Promise<HandOffSteps> {
  const { state, offer } = plan;
  const written = [
    ...(state ? [] : [registerStep(deps, plan, connection)]),
    ...plan.entries.map((entry, index) => entryStep(deps, plan, entry, index, connection)),
  ];
  const replaced = plan.replaced.map((pending) => cancelStep(principal, plan, pending));
  const instructed = isLeft(plan) ? [parkStep(deps, plan)] : [];
  const asked = offer ? [requestStep(deps, plan, offer)] : [];
  const messages = offer ? await offerMessages(deps, principal, plan, offer) : [];
  const steps = [...written, ...replaced, ...instructed, ...asked, ...messages];
  const bytes = [
    ...plan.entries.map(({ payload }) => payload.length + 512),
    ...messages.map((one) => one.bytes),
  ];
  return {
    steps,
    anchor: steps.length - messages.length - 1,
    messages,
    bytes: bytes.reduce((sum, size) => sum + size, 2_048),
  };
}

/** Of the last step of the working session, whichever it is. */
export const anchorId = (id: string): string => `handoff:${id}`;

/** What that step stores: the same request has the same bytes. */
export const anchorPayload = (requestDigest: string, { codec }: Pick<HandoffDependencies, 'codec'>) =>
  payloadOf({ request: requestDigest }, codec);

/** An owner that wants to commit itself does not let anybody pick the work up after the offer has expired. */
function isLeft({ offer }: Pick<HandOffPlan, 'offer'>): boolean {
  return offer?.committing.autoCommit ?? true;
}

function registerStep(
  deps: HandoffDependencies,
  plan: HandOffPlan,
  connection: Connection | undefined,
): Step<'worklog'> {
  const { lifetimes } = deps.settingsNow();
  const payload = payloadOf({ metadata: {} }, deps.codec);
  return {
    stream: plan.ref,
    command: { kind: 'register', id: newIdOf(plan), lifetimes, payload, ...whereFrom(connection) },
    messageId: `register:${plan.id}`,
  };
}

const newIdOf = ({ id, about }: HandOffPlan): string =>
  about === undefined ? sessionIdOf(id) : noteId(id, about);

/** The id of the working session that this request registers. */
export const sessionIdOf = (id: string): string => `session:${id}`;

function entryStep(
  deps: HandoffDependencies,
  { id, ref, state }: HandOffPlan,
  { contextType, payload, kinds }: NewEntry,
  index: number,
  connection: Connection | undefined,
): Step<'worklog'> {
  const entryId = `entry:${id}:${index + 1}`;
  const { lifetimes } = deps.settingsNow();
  const instance = connection?.instance;
  return {
    stream: ref,
    command: {
      kind: 'addContext',
      entryId,
      contextType,
      payload,
      lifetimes,
      kinds,
      // The package says which number it has.
      expectedSequence: (state?.lastNumber ?? 0) + index,
      ...(instance !== undefined && { instance }),
    },
    messageId: entryId,
  };
}

function cancelStep(
  { tenant }: Principal,
  { id, offer }: HandOffPlan,
  { sessionId }: PendingHandoff,
): Step<'session'> {
  const reason = offer
    ? `replaced by ${formatHandoffId(id, OFFER_ID)}`
    : 'left for whoever comes next instead';
  return {
    stream: sessionRef(tenant, sessionId),
    command: { kind: 'control', control: Control.Cancel, reason },
  };
}

function parkStep(
  deps: HandoffDependencies,
  { id, ref, until, requestType, requestDigest, offer }: HandOffPlan,
): Step<'worklog'> {
  return {
    stream: ref,
    command: {
      kind: 'park',
      takers: [offer?.to ?? ANYONE],
      requestType,
      until,
      by: ParkedBy.Owner,
      payload: anchorPayload(requestDigest, deps),
    },
    messageId: offer ? `park:${id}` : anchorId(id),
  };
}

function requestStep(
  deps: HandoffDependencies,
  { id, ref, requestType, requestDigest, gathered }: HandOffPlan,
  { to, committing }: NonNullable<HandOffPlan['offer']>,
): Step<'worklog'> {
  const { autoCommit, chosen } = committing;
  return {
    stream: ref,
    command: {
      kind: 'requestHandoff',
      sessionId: id,
      handoffId: OFFER_ID,
      target: to,
      requestType,
      upTo: gathered.gathered.lastNumber,
      payload: anchorPayload(requestDigest, deps),
      rule: { commit: autoCommit ? CommitBy.OnAccept : CommitBy.Owner, chosen },
    },
    messageId: anchorId(id),
  };
}

async function offerMessages(
  deps: HandoffDependencies,
  principal: Principal,
  plan: HandOffPlan,
  { to, committing, policy, ttlMs, attachments, added }: NonNullable<HandOffPlan['offer']>,
): Promise<readonly Message[]> {
  const { id, ref, state, requestType, gathered } = plan;
  const session = sessionRef(principal.tenant, id);
  const sender = principal.agent;
  const upTo = gathered.gathered.lastNumber;
  const messages = await moveMessages(deps, {
    session,
    worklog: { ref, state: state ?? { key: ref.id, id: newIdOf(plan), owner: sender } },
    binding: { worklog: ref.id, requestType, upTo, ...committing },
    sender,
    target: to,
    requestData: {},
    reason: '',
    policy,
    ttlMs,
    gathered,
    ...(added && { added }),
  });
  const more = attachments.map(({ name, contentType, context }, index) =>
    message(
      deps,
      { session, sender, messageId: `attachment-${index + 1}:${id}` },
      handoffPayloads.HandoffContext,
      { handoffId: OFFER_ID, contentType: withName(contentType, name), context },
    ),
  );
  return [...messages, ...more];
}
