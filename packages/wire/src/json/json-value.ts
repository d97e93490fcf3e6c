/** JSON as a tree that loses nothing of its text: numbers keep their digits, members keep their order. */
export type JsonValue = null | boolean | string | JsonNumber | readonly JsonValue[] | JsonMembers;
export type JsonMembers = ReadonlyMap<string, JsonValue>;

/** A number as it is written: a double would round what an int64 holds exactly. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function isMembers(value: JsonValue | undefined): value is JsonMembers {
  return value instanceof Map;
}

export function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** On one line, without spaces. */
export function writeJson(value: JsonValue): string {
  if (value instanceof JsonNumber) return value.text;
  if (isMembers(value)) {
    const members = [...value].map(([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`);
    return `{${members.join(',')}}`;
  }
  return isList(value) ? `[${value.map(writeJson).join(',')}]` : JSON.stringify(value);
}
