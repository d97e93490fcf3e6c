import type { ObjectKind } from './json/object-kind.js';

/** One kind of payload. Mode and type name it, because two modes may use one message type for different payloads. */
export interface PayloadKind<P> {
  /** Empty for a message of Core, which means the same in every mode. */
  readonly mode: string;
  readonly type: string;
  readonly json: ObjectKind<P>;
}

/** The payloads of one mode, by message type. The codec finds the protobuf binding by the mode and type of an entry. */
export type PayloadTable<Payloads> = {
  readonly [T in keyof Payloads & string]: PayloadKind<Payloads[T]>;
};

export function payloadTable<Payloads>(
  mode: string,
  shapes: { readonly [T in keyof Payloads & string]: ObjectKind<Payloads[T]> },
): PayloadTable<Payloads> {
  const entries = Object.entries<ObjectKind<Payloads[keyof Payloads & string]>>(shapes);
  const kinds = entries.map(([type, json]) => [type, { mode, type, json }]);
  return Object.fromEntries(kinds) as PayloadTable<Payloads>;
}
