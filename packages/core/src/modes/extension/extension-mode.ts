/**
 * Extension modes: registered at run time by a descriptor, with no rules of their own beyond it. Listed message types
 * are accepted from members. The second implementation of the mode interface.
 */
import { CoreMessageType, RUNTIME_MESSAGE_TYPES } from '../../envelope/envelope.js';
import { type CommitmentRules, INITIATOR_ONLY } from '../../policy/rules.js';
import { RejectionCode, reject } from '../../rejection.js';
import type { Mode, ModeDescriptor } from '../mode.js';
import { FIRST_EXTENSION_RULE_KEYS, readFirstExtensionRules, readFreeRules } from './policy-rules.js';

/** Only the number of messages is remembered. */
export interface ExtensionState {
  readonly messages: number;
}

/** No payload is known: they are bytes. */
type NoPayloads = Record<never, never>;

export function createExtensionMode(
  descriptor: ModeDescriptor,
  strict: boolean,
  commitBy: 'policy' | 'initiator',
): Mode<ExtensionState, CommitmentRules, NoPayloads> {
  return {
    descriptor,
    strict,
    minParticipants: strict ? 1 : 0,
    commitBy,
    reservedMessageIdPrefixes: [],
    payloads: {},
    // `policy`: a session that began when policies were still asked.
    ...(commitBy === 'policy'
      ? { ruleKeys: FIRST_EXTENSION_RULE_KEYS, readRules: readFirstExtensionRules }
      : { ruleKeys: {}, readRules: readFreeRules }),
    strictestRules: INITIATOR_ONLY,
    initial: { messages: 0 },
    decide: (_state, envelope) => {
      if (
        descriptor.messageTypes.includes(envelope.messageType) &&
        envelope.messageType !== CoreMessageType.SessionStart &&
        // A descriptor of 0.1.0 may list what the runtime writes: the session would be ended by whoever says so.
        !RUNTIME_MESSAGE_TYPES.has(envelope.messageType)
      )
        return { facts: {} };
      const message = `message_type ${envelope.messageType} is not part of mode ${descriptor.mode}`;
      return { rejection: reject(RejectionCode.INVALID_ENVELOPE, message) };
    },
    evolve: (state, { type }) =>
      type === CoreMessageType.Commitment ? state : { messages: state.messages + 1 },
    ready: () => undefined,
    denials: () => [],
    view: (state) => ({ messages: state.messages }),
  };
}
