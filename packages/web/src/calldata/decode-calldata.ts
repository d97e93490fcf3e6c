import type { AbiValue, Parameter } from './abi-types.js';
import { decodeArguments } from './decode-arguments.js';
import { KNOWN_FUNCTIONS } from './known-functions.js';

export interface DecodedArgument extends Parameter {
  readonly value: AbiValue;
}

export type Decoded =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly selector: string }
  /** A known selector, and bytes behind it that are not its arguments. */
  | { readonly kind: 'malformed'; readonly selector: string; readonly name: string }
  | {
      readonly kind: 'known';
      readonly selector: string;
      readonly name: string;
      readonly signature: string;
      readonly arguments: readonly DecodedArgument[];
    };

export function decodeCalldata(data: string): Decoded {
  if (data === '0x') return { kind: 'none' };
  const selector = data.slice(0, 10);
  const known = Object.hasOwn(KNOWN_FUNCTIONS, selector) ? KNOWN_FUNCTIONS[selector] : undefined;
  if (!known) return { kind: 'unknown', selector };
  const { name, parameters } = known;
  const body = data.slice(10);
  const values = decodeArguments(
    parameters.map(({ type }) => type),
    body,
  );
  if (!values || hasMore(parameters, body)) return { kind: 'malformed', selector, name };
  const signature = `${name}(${parameters.map(({ type }) => type).join(',')})`;
  const decoded = parameters.map((parameter, index) => ({ ...parameter, value: values[index] ?? '' }));
  return { kind: 'known', selector, name, signature, arguments: decoded };
}

/** Bytes that the arguments do not account for. With dynamic types the tail may be laid out in more than one way. */
function hasMore(parameters: readonly Parameter[], body: string): boolean {
  const isStatic = parameters.every(({ type }) => !/string|bytes$|\[\]/.test(type));
  return isStatic ? body.length !== parameters.length * 64 : body.length % 64 !== 0;
}

/** One argument of a decoded call, where it has the kind that is asked for. */
export function argument(decoded: Decoded, name: string): AbiValue | undefined {
  return decoded.kind === 'known' ? decoded.arguments.find((one) => one.name === name)?.value : undefined;
}

export function addressArgument(decoded: Decoded, name: string): string | undefined {
  const value = argument(decoded, name);
  return typeof value === 'string' ? value : undefined;
}

export function amountArgument(decoded: Decoded, name: string): bigint | undefined {
  const value = argument(decoded, name);
  return typeof value === 'bigint' ? value : undefined;
}
