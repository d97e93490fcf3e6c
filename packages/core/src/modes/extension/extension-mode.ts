/**
 * Extension modes: registered at run time by a descriptor, with no rules of their own beyond it. Listed message types
 * are accepted from members; the initiator commits. The second implementation of the mode interface.
 */
import type { JsonObject } from '../../log/json.js';
import { readExtensionRules } from '../../policy/rules.js';
import { RejectionCode, reject } from '../../rejection.js';
import type { Mode, ModeDescriptor } from '../mode.js';

/** Nothing to remember but how much was said. */
export interface ExtensionState {
  readonly messages: number;
}

export function createExtensionMode(descriptor: ModeDescriptor, strict: boolean): Mode<ExtensionState> {
  return {
    descriptor,
    strict,
    reservedMessageIdPrefixes: [],
    readRules: readExtensionRules,
    bind: (_initiator, start) => start.participants,
    initial: () => ({ messages: 0 }),
    decide: (_state, envelope) => {
      if (descriptor.messageTypes.includes(envelope.messageType) && envelope.messageType !== 'SessionStart')
        return { facts: {} };
      const message = `message_type ${envelope.messageType} is not part of mode ${descriptor.mode}`;
      return { rejection: reject(RejectionCode.INVALID_ENVELOPE, message) };
    },
    settle: () => undefined,
    facts: (messageType): JsonObject | undefined =>
      descriptor.messageTypes.includes(messageType) ? {} : undefined,
    evolve: (state) => ({ messages: state.messages + 1 }),
    due: () => undefined,
    tick: () => undefined,
    involved: () => [],
    view: (state) => ({ messages: state.messages }),
  };
}
