/**
 * The JSON of a message that comes in parts, each with some items of its lists: written part by part, as they come, since a
 * long one would hold everybody up. The text is that of the whole message.
 */
import type { DescMessage } from '@bufbuild/protobuf';
import { decodeDynamic } from './decode-dynamic.js';
import { dynamicToJson } from './dynamic-to-json.js';
import { isList, type JsonMembers, type JsonValue, writeJson } from './json-value.js';
import { specialWriters } from './special-places.js';

export class JsonInParts {
  readonly #schema: DescMessage;
  /** By member, the items of a list as they stand in its brackets. */
  readonly #items = new Map<string, string[]>();

  constructor(schema: DescMessage) {
    this.#schema = schema;
  }

  /** Nothing but items of lists. */
  add(bytes: Uint8Array): void {
    for (const [name, value] of this.#members(bytes)) if (isList(value)) this.#keep(name, value);
  }

  /** What else the message holds, around the items of the parts. The pieces, one after another, are the text. */
  *pieces(bytes: Uint8Array): Generator<string> {
    let before = '{';
    for (const [name, value] of this.#members(bytes)) {
      if (isList(value)) this.#keep(name, value);
      const items = this.#items.get(name);
      yield `${before}${JSON.stringify(name)}:${items ? '[' : writeJson(value)}`;
      if (items) yield* between(items);
      before = items ? '],' : ',';
    }
    yield before === '{' ? '{}' : before.replace(',', '}');
  }

  #members(bytes: Uint8Array): JsonMembers {
    const message = decodeDynamic(this.#schema, bytes);
    if (!message) throw new Error(`not a part of ${this.#schema.typeName}`);
    return dynamicToJson(message, specialWriters);
  }

  #keep(name: string, list: readonly JsonValue[]): void {
    if (list.length === 0) return;
    const items = this.#items.get(name) ?? [];
    items.push(list.map(writeJson).join(','));
    this.#items.set(name, items);
  }
}

function* between(items: readonly string[]): Generator<string> {
  for (const [at, item] of items.entries()) yield at === 0 ? item : `,${item}`;
}
