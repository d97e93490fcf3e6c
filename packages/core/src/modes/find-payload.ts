/** Which payload a message carries: Core's own are the same in every mode, all others belong to one mode. */
import { corePayloads } from '../envelope/core-payload-table.js';
import type { PayloadKind } from '../envelope/payload-kind.js';
import type { CorePayloads } from '../envelope/payloads.js';
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
