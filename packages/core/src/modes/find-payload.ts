/** Which payload a message carries: Core's own are the same in every mode, all others belong to one mode. */
import { corePayloads } from '../envelope/core-payload-table.js';
import type { PayloadKind } from '../envelope/payload-kind.js';
import type { CorePayloads } from '../envelope/payloads.js';
import { cited, isBlank } from '../text.js';
import { BUILT_IN_MODES, type ModeName, type ModePayloads } from './registry.js';

/** Every payload that can be said in a session of a built-in mode, by message type. */
export type PayloadsIn<M extends ModeName> = CorePayloads & ModePayloads[M];

type Kinds = Readonly<Record<string, PayloadKind<unknown>>>;

/** Undefined when the fields are not known here: then the payload is bytes. */
export function findPayload(mode: string, messageType: string): PayloadKind<unknown> | undefined {
  return own(corePayloads, messageType) ?? own(BUILT_IN_MODES.get(mode)?.payloads ?? {}, messageType);
}

/** The same for names that are known beforehand. */
export function payloadKind<M extends ModeName, T extends keyof PayloadsIn<M> & string>(
  mode: M,
  messageType: T,
): PayloadKind<PayloadsIn<M>[T]> {
  // The types of both arguments guarantee that it exists.
  return findPayload(mode, messageType) as PayloadKind<PayloadsIn<M>[T]>;
}

function own(kinds: Kinds, messageType: string): PayloadKind<unknown> | undefined {
  return Object.hasOwn(kinds, messageType) ? kinds[messageType] : undefined;
}

/** Why JSON cannot be read as the payload of a message whose fields are not known: which word is probably mistyped. */
export function unknownPayload(
  mode: string,
  messageType: string,
): { readonly field: 'message_type' | 'mode'; readonly flaw: string } {
  if (isBlank(messageType)) return { field: 'message_type', flaw: 'is empty' };
  if (isBlank(mode)) return { field: 'mode', flaw: 'is empty' };
  const types = BUILT_IN_MODES.get(mode)?.descriptor.messageTypes;
  return types
    ? {
        field: 'message_type',
        flaw: `${cited(messageType)} is not part of ${mode}, which has ${types.join(', ')}`,
      }
    : {
        field: 'mode',
        flaw: `${cited(mode)} is not built in, so its payloads are bytes: send payload_b64, or correct the name`,
      };
}
