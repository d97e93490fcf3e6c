/** Wire types of protobuf. Groups are obsolete: they are skipped, never read. */
export const WireType = { Varint: 0, Fixed64: 1, Bytes: 2, StartGroup: 3, EndGroup: 4, Fixed32: 5 } as const;
export type WireType = (typeof WireType)[keyof typeof WireType];
