/** The messages with which a MACP session begins that moves a working session: start, offer and package. */
import {
  bindingScope,
  CoreMessageType,
  corePayloads,
  HANDOFF_MODE_VERSION,
  HandoffMessageType,
  handoffPayloads,
  isId,
  type JsonObject,
  ownMessageId,
  type SessionBinding,
  type StreamRef,
  type WorklogState,
} from '@handover/core';
import { type AddedEntry, buildPackage } from './build-package.js';
import type { HandoffDependencies } from './dependencies.js';
import { type GatheredSession, gatherSession } from './gather-session.js';
import { formatHandoffId, OFFER_ID } from './ids.js';
import { type Message, message } from './messages.js';

const CONFIGURATION_VERSION = 'config.default';

export interface Move {
  readonly session: StreamRef<'session'>;
  readonly worklog: {
    readonly ref: StreamRef<'worklog'>;
    readonly state: Pick<WorklogState, 'key' | 'id' | 'owner'>;
  };
  readonly binding: SessionBinding;
  /** Who offers: the owner, or the operator in its place. */
  readonly sender: string;
  readonly target: string;
  readonly requestData: JsonObject;
  readonly reason: string;
  /** Empty: the default one. */
  readonly policy: string;
  /** How long the session lives; absent: as long as the setting says. */
  readonly ttlMs?: number;
  /** What the package is made of; absent: it is gathered now. */
  readonly gathered?: GatheredSession;
  /** The last of it, which is stored with the package. */
  readonly added?: AddedEntry;
}

export async function moveMessages(deps: HandoffDependencies, move: Move): Promise<readonly Message[]> {
  const { session, worklog, binding, sender, target, requestData, reason, added } = move;
  const { requestType, upTo } = binding;
  const budget = deps.settingsNow().packageTokenBudget;
  const gathered = move.gathered ?? (await gatherSession(deps, worklog.ref, upTo, budget));
  const request = {
    handoffId: formatHandoffId(session.id, OFFER_ID),
    sessionKey: worklog.state.key,
    from: worklog.state.owner,
    to: target,
    requestType,
    requestData,
  };
  const context = buildPackage(deps, gathered, request, added);
  const to = (name: string, type: string) => ({
    session,
    sender,
    messageId: ownMessageId(binding, type, session.id) ?? `${name}:${session.id}`,
  });
  return [
    message(
      deps,
      to('start', CoreMessageType.SessionStart),
      corePayloads.SessionStart,
      startPayload(deps, move),
      binding,
    ),
    message(deps, to('offer', HandoffMessageType.Offer), handoffPayloads.HandoffOffer, {
      handoffId: OFFER_ID,
      targetParticipant: target,
      scope: bindingScope(binding),
      reason,
    }),
    message(deps, to('package', HandoffMessageType.Context), handoffPayloads.HandoffContext, {
      handoffId: OFFER_ID,
      ...context,
    }),
  ];
}

function startPayload(deps: HandoffDependencies, { worklog, binding, sender, target, policy, ttlMs }: Move) {
  const { key, id, owner } = worklog.state;
  return {
    intent: `hand over: ${binding.requestType}`,
    participants: [...new Set([sender, owner, target])],
    modeVersion: HANDOFF_MODE_VERSION,
    configurationVersion: CONFIGURATION_VERSION,
    policyVersion: policy,
    ttlMs: ttlMs ?? deps.settingsNow().handoffTtlMs,
    roots: [],
    // All offers of one working session share this id. A key may be too long for a protocol id.
    contextId: isId(key) ? key : id,
    extensions: {},
    maxSuspendMs: 0,
  };
}
