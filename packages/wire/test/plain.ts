import { type DescField, type DescMessage, type Message, ScalarType } from '@bufbuild/protobuf';

/** A protobuf-es message in core's terms: numbers for bigints, strings for enums, absent sub-messages left out. */
export function plain(schema: DescMessage, message: Message): Record<string, unknown> {
  const values = message as unknown as Record<string, unknown>;
  const pairs = schema.fields.map((field): [string, unknown] => {
    if (field.oneof === undefined) return [field.localName, convert(field, values[field.localName])];
    const member = values[field.oneof.localName] as { case?: string; value?: unknown };
    return [field.localName, member.case === field.localName ? convert(field, member.value) : undefined];
  });
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

function convert(field: DescField, value: unknown): unknown {
  if (value === undefined) return undefined;
  if (field.fieldKind === 'list' && field.message !== undefined) {
    const { message } = field;
    return (value as Message[]).map((item) => plain(message, item));
  }
  if (field.fieldKind === 'message') return plain(field.message, value as Message);
  if (field.fieldKind === 'enum') {
    const name =
      field.enum.values.find(({ number }) => number === value)?.name ?? 'SESSION_STATE_UNSPECIFIED';
    return name.replace('SESSION_STATE_', '');
  }
  if (typeof value !== 'bigint') return value;
  if (Number.isSafeInteger(Number(value))) return Number(value);
  if (field.scalar === ScalarType.UINT64) return Number.MAX_SAFE_INTEGER;
  throw new RangeError('int64 beyond the safe integers');
}
