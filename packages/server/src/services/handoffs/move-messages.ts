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
import { buildPackage } from './build-package.js';
import type { HandoffDependencies } from './dependencies.js';
import { formatHandoffId, OFFER_ID } from './ids.js';
import { type Message, message } from './messages.js';

const CONFIGURATION_VERSION = 'config.default';

export interface Move {
  readonly session: StreamRef<'session'>;
  readonly worklog: { readonly ref: StreamRef<'worklog'>; readonly state: WorklogState };
  readonly binding: SessionBinding;
  /** Who offers: the owner, or the operator in its place. */
  readonly sender: string;
  readonly target: string;
  readonly requestData: JsonObject;
  readonly reason: string;
  /** Empty: the default one. */
  readonly policy: string;
}

export async function moveMessages(deps: HandoffDependencies, move: Move): Promise<readonly Message[]> {
  const { session, worklog, binding, sender, target, requestData, reason } = move;
  const { requestType, upTo } = binding;
  const context = await buildPackage(deps, worklog.ref, worklog.state, upTo, {
    handoffId: formatHandoffId(session.id, OFFER_ID),
    sessionKey: worklog.state.key,
    from: worklog.state.owner,
    to: target,
    requestType,
    requestData,
  });
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

function startPayload(deps: HandoffDependencies, { worklog, binding, sender, target, policy }: Move) {
  const { key, id, owner } = worklog.state;
  return {
    intent: `hand over: ${binding.requestType}`,
    participants: [...new Set([sender, owner, target])],
    modeVersion: HANDOFF_MODE_VERSION,
    configurationVersion: CONFIGURATION_VERSION,
    policyVersion: policy,
    ttlMs: deps.settingsNow().handoffTtlMs,
    roots: [],
    // All offers of one working session share this id. A key may be too long for a protocol id.
    contextId: isId(key) ? key : id,
    extensions: {},
    maxSuspendMs: 0,
  };
}
