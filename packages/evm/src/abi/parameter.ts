/** Our types and values in the form that the library takes and gives. */
import type { Parameter } from 'ox/AbiParameters';
import { type AbiType, type AbiValue, typeText } from './abi-type.js';

/** Without names: the library then gives tuples as lists. */
export function parameterOf(type: AbiType): Parameter {
  if (type.kind === 'tuple') return { type: 'tuple', components: type.items.map(parameterOf) };
  if (type.kind !== 'array') return { type: typeText(type) };
  const element = parameterOf(type.of);
  return { ...element, type: `${element.type}[${type.length ?? ''}]` };
}

/** Numbers become decimal text; everything else has our form already. */
export function plainValue(value: unknown): AbiValue {
  if (Array.isArray(value)) return value.map(plainValue);
  return typeof value === 'boolean' ? value : String(value);
}
