/** Solidity's types as data. */
export type AbiType =
  | WordType
  | { readonly kind: 'string' | 'bytes' }
  /** Without `length`: the data holds the length. */
  | { readonly kind: 'array'; readonly of: AbiType; readonly length?: number }
  | { readonly kind: 'tuple'; readonly items: readonly AbiType[] };

/** What fits into one word. */
export type WordType =
  | { readonly kind: 'address' | 'bool' }
  | { readonly kind: 'uint' | 'int'; readonly bits: number }
  | { readonly kind: 'fixed-bytes'; readonly size: number };

/** Integers as decimal text, addresses and bytes as lowercase hex. */
export type AbiValue = string | boolean | readonly AbiValue[];

export function typeText(type: AbiType): string {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return `${type.kind}${type.bits}`;
    case 'fixed-bytes':
      return `bytes${type.size}`;
    case 'array':
      return `${typeText(type.of)}[${type.length ?? ''}]`;
    case 'tuple':
      return `(${type.items.map(typeText).join(',')})`;
    case 'address':
    case 'bool':
    case 'string':
    case 'bytes':
      return type.kind;
  }
}

export function isDynamic(type: AbiType): boolean {
  switch (type.kind) {
    case 'string':
    case 'bytes':
      return true;
    case 'array':
      return type.length === undefined || isDynamic(type.of);
    case 'tuple':
      return type.items.some(isDynamic);
    case 'address':
    case 'bool':
    case 'uint':
    case 'int':
    case 'fixed-bytes':
      return false;
  }
}

/** Words that it takes in the head of what holds it. */
export function headWords(type: AbiType): number {
  if (isDynamic(type)) return 1;
  if (type.kind === 'array') return (type.length ?? 0) * headWords(type.of);
  if (type.kind === 'tuple') return type.items.reduce((sum, item) => sum + headWords(item), 0);
  return 1;
}
