import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';

/** Encodes any generated message from its fields: `encodeMessage(pb.GetSessionResponseSchema, { metadata })`. */
export function encodeMessage<D extends DescMessage>(schema: D, fields: MessageInitShape<D>): Uint8Array {
  return toBinary(schema, create(schema, fields));
}

/** Decodes any generated message; undefined when the bytes are not that message. */
export function decodeMessage<D extends DescMessage>(
  schema: D,
  bytes: Uint8Array,
): MessageShape<D> | undefined {
  try {
    return fromBinary(schema, bytes, { readUnknownFields: false });
  } catch {
    return undefined;
  }
}
