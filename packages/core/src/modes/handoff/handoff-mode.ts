/** Handoff Mode (RFC-MACP-0010): an owner offers responsibility to a named target, who accepts or declines. */
import { CoreMessageType } from '../../envelope/envelope.js';
import type { SessionStartPayload } from '../../envelope/payloads.js';
import type { JsonObject } from '../../log/json.js';
import { type Rejection, RejectionCode, reject } from '../../rejection.js';
import type { Mode } from '../mode.js';
import { SCHEMA_URIS } from '../standard-descriptor.js';
import { evolveHandoff } from './evolve.js';
import { implicitAnswer, implicitAnswerDue } from './implicit-answer.js';
import {
  AUTO_COMMIT_PREFIX,
  HANDOFF_MODE,
  HANDOFF_MODE_VERSION,
  HandoffMessageType,
  IMPLICIT_ACCEPT_PREFIX,
  IMPLICIT_DECLINE_PREFIX,
  STANDING_PREFIXES,
  TAKEOVER_PREFIXES,
} from './messages.js';
import { type HandoffPayloads, handoffPayloads } from './payloads.js';
import {
  HANDOFF_RULE_KEYS,
  HANDOFF_RULES_SCHEMA,
  type HandoffRules,
  OLDER_HANDOFF_RULE_KEYS,
  readHandoffRules,
  STRICTEST_HANDOFF_RULES,
} from './policy-rules.js';
import { handoffReady } from './ready.js';
import { decideHandoff } from './rules.js';
import { type HandoffState, NO_OFFERS } from './state.js';

export const handoffMode: Mode<HandoffState, HandoffRules, HandoffPayloads> = {
  descriptor: {
    mode: HANDOFF_MODE,
    modeVersion: HANDOFF_MODE_VERSION,
    title: 'Handoff Mode',
    description: 'Transfers scoped responsibility from its current owner to a named target, with context.',
    determinismClass: 'context-frozen',
    participantModel: 'delegated',
    messageTypes: [
      CoreMessageType.SessionStart,
      ...Object.values(HandoffMessageType),
      CoreMessageType.Commitment,
    ],
    terminalMessageTypes: [CoreMessageType.Commitment],
    schemaUris: SCHEMA_URIS,
  },
  strict: true,
  // The owner need not be listed: see bindOwner.
  minParticipants: 1,
  commitBy: 'policy',
  reservedMessageIdPrefixes: [
    IMPLICIT_ACCEPT_PREFIX,
    IMPLICIT_DECLINE_PREFIX,
    AUTO_COMMIT_PREFIX,
    ...Object.values(STANDING_PREFIXES),
    ...Object.values(TAKEOVER_PREFIXES),
  ],
  ruleKeys: HANDOFF_RULE_KEYS,
  olderRuleKeys: OLDER_HANDOFF_RULE_KEYS,
  rulesSchema: HANDOFF_RULES_SCHEMA,
  readRules: readHandoffRules,
  strictestRules: STRICTEST_HANDOFF_RULES,
  payloads: handoffPayloads,
  bind: bindOwner,
  initial: NO_OFFERS,
  decide: decideHandoff,
  evolve: evolveHandoff,
  ready: handoffReady,
  // A Handoff policy says who may commit, and nothing else about a Commitment.
  denials: () => [],
  timer: { due: implicitAnswerDue, tick: implicitAnswer },
  involved: ({ type, facts }) =>
    type === HandoffMessageType.Offer && typeof facts.target === 'string'
      ? [{ agent: facts.target, role: 'target' }]
      : [],
  view: viewHandoff,
};

/** The owner is bound even when not listed, as long as somebody else is: there must be a possible target. */
function bindOwner(initiator: string, start: SessionStartPayload): readonly string[] | Rejection {
  const bound = start.participants.includes(initiator)
    ? start.participants
    : [initiator, ...start.participants];
  if (bound.length >= 2) return bound;
  return reject(
    RejectionCode.INVALID_ENVELOPE,
    'participants must name at least one target besides the owner',
  );
}

function viewHandoff(state: HandoffState): JsonObject {
  // Participants choose their ids: `__proto__` must be a key like any other.
  const offers: Record<string, JsonObject> = Object.create(null);
  for (const offer of state.offers)
    offers[offer.handoffId] = {
      target_participant: offer.target,
      offered_by: offer.offeredBy,
      offered_at_ms: offer.offeredAt,
      disposition: offer.disposition[0]?.toUpperCase() + offer.disposition.slice(1),
      implicit: offer.implicit,
      contexts: offer.contexts,
      late_contexts: offer.lateContexts,
      ...(offer.answeredAt === undefined ? {} : { answered_at_ms: offer.answeredAt }),
    };
  return { offers };
}
