/** The places of a JSON text with comments. Only places are read: the text itself is edited by its characters. */
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type Refusal, refusal } from './edit.js';

/** Some editors put it before everything; it is no part of JSON. */
const BYTE_ORDER_MARK = '\uFEFF';

export const afterMark = (text: string): number => (text.startsWith(BYTE_ORDER_MARK) ? 1 : 0);

/** Undefined: there is nothing in it yet. */
export function readTree(text: string): Node | Refusal | undefined {
  // Of the same length, so that places stay right.
  const plain = afterMark(text) === 1 ? ` ${text.slice(1)}` : text;
  if (plain.trim() === '') return undefined;
  const errors: ParseError[] = [];
  const root = parsed(plain, errors);
  const [first] = errors;
  if (first) return refusal(`is no valid JSON: line ${lineAt(plain, first.offset)}, ${nameOf(first)}`);
  if (root?.type !== 'object') return refusal('is no valid JSON: it should hold one object');
  return root;
}

function parsed(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch (thrown) {
    // The parser calls itself for each level.
    if (!(thrown instanceof RangeError)) throw thrown;
    return undefined;
  }
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** `CommaExpected` in words. */
const nameOf = ({ error }: ParseError): string =>
  printParseErrorCode(error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();

/** The value of a member. A name that stands there twice is refused: clients differ in which of them counts. */
export function memberOf(object: Node, name: string): Node | Refusal | undefined {
  const found = (object.children ?? []).filter(({ children }) => children?.[0]?.value === name);
  if (found.length > 1) return refusal(`has ${JSON.stringify(name)} twice in one object`);
  return found[0]?.children?.[1];
}

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'refused';

export interface Found {
  /** The innermost object or list on the way that is there. */
  readonly container: Node;
  /** How many names of the path lead to it. */
  readonly depth: number;
}

/** Follows names as far as there is something. `list`: what the last of them should be. */
export function follow(root: Node, names: readonly string[], list: boolean): Found | Refusal {
  let container = root;
  for (const [depth, name] of names.entries()) {
    const value = memberOf(container, name);
    if (isRefusal(value)) return value;
    if (value === undefined) return { container, depth };
    const wanted = list && depth === names.length - 1 ? 'array' : 'object';
    if (value.type !== wanted) {
      const path = names.slice(0, depth + 1).join('.');
      return refusal(`has something else than ${wanted === 'array' ? 'a list' : 'an object'} in ${path}`);
    }
    container = value;
  }
  return { container, depth: names.length };
}
