import { CoreMessageType } from '../envelope/envelope.js';
import type { ModeDescriptor } from './mode.js';

type Own = Omit<ModeDescriptor, 'modeVersion' | 'terminalMessageTypes' | 'schemaUris'> & {
  readonly proto: string;
};

/** What the descriptors of built-in modes have in common. `messageTypes` are the mode's own. */
export function standardDescriptor({ proto, messageTypes, ...own }: Own): ModeDescriptor {
  return {
    ...own,
    modeVersion: '1.0.0',
    messageTypes: [CoreMessageType.SessionStart, ...messageTypes, CoreMessageType.Commitment],
    terminalMessageTypes: [CoreMessageType.Commitment],
    schemaUris: { proto: `schemas/proto/macp/modes/${proto}` },
  };
}
