/**
 * The JSON of a message that comes in parts, each with some items of its lists: written part by part, as they come, since a
 * long one would hold everybody up. The text is that of the whole message.
 */
import type { DescMessage } from '@bufbuild/protobuf';
import { decodeDynamic } from './decode-dynamic.js';
import { dynamicToJson } from './dynamic-to-json.js';
import { isList, type JsonMembers, type JsonValue, writeJson } from './json-value.js';
import { specialWriters } from './special-places.js';

/** By member, what stands in the brackets of its list. */
type Items = readonly (readonly [name: string, text: string])[];

/** Of parts that are kept by whoever made them. A field has the same name in every message that the parts are of. */
const written = new WeakMap<Uint8Array, Items>();

const itemsOf = (list: readonly JsonValue[]): string => list.map(writeJson).join(',');

export class JsonInParts {
  readonly #schema: DescMessage;
  /** By member, the items of a list as they stand in its brackets. */
  readonly #items = new Map<string, string[]>();

  constructor(schema: DescMessage) {
    this.#schema = schema;
  }

  /** Nothing but items of lists. The same bytes, once more, are not read again. */
  add(bytes: Uint8Array): void {
    const known = written.get(bytes) ?? this.#written(bytes);
    written.set(bytes, known);
    for (const [name, text] of known) this.#keep(name, text);
  }

  /** What else the message holds, around the items of the parts. The pieces, one after another, are the text. */
  *pieces(bytes: Uint8Array): Generator<string> {
    let before = '{';
    for (const [name, value] of this.#members(bytes)) {
      if (isList(value) && value.length > 0) this.#keep(name, itemsOf(value));
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

  #written(bytes: Uint8Array): Items {
    return [...this.#members(bytes)].flatMap(([name, value]) =>
      isList(value) && value.length > 0 ? [[name, itemsOf(value)] as const] : [],
    );
  }

  #keep(name: string, text: string): void {
    const items = this.#items.get(name) ?? [];
    items.push(text);
    this.#items.set(name, items);
  }
}

function* between(items: readonly string[]): Generator<string> {
  for (const [at, item] of items.entries()) yield at === 0 ? item : `,${item}`;
}
