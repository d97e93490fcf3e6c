import { CoreMessageType } from '../envelope/envelope.js';
import type { ModeDescriptor } from './mode.js';

type Own = Omit<ModeDescriptor, 'modeVersion' | 'terminalMessageTypes' | 'schemaUris'>;

/** Where the protocol publishes the protobuf of its modes. */
export const SCHEMA_URIS = { protobuf: 'buf.build/multiagentcoordinationprotocol/macp' };

/** What the descriptors of built-in modes have in common. `messageTypes` are the mode's own. */
export function standardDescriptor({ messageTypes, ...own }: Own): ModeDescriptor {
  return {
    ...own,
    modeVersion: '1.0.0',
    messageTypes: [CoreMessageType.SessionStart, ...messageTypes, CoreMessageType.Commitment],
    terminalMessageTypes: [CoreMessageType.Commitment],
    schemaUris: SCHEMA_URIS,
  };
}
