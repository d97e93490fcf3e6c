/** Two listeners of this server on one address: told at once, so that nobody looks for another program. */
import type { Address } from './address.js';
import type { SettingReader } from './setting-reader.js';
import type { SettingName } from './settings.js';

export interface Place {
  readonly name: SettingName;
  readonly address: Address;
  /** A value that would do. */
  readonly example: string;
}

const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** The one that comes later has to move. */
export function checkClashes(reader: SettingReader, places: readonly Place[]): void {
  for (const [index, { name, address, example }] of places.entries()) {
    const other = places.slice(0, index).find((earlier) => clash(earlier.address, address));
    if (other)
      reader.problem(name, `is also the address of ${other.name}; choose another, such as ${example}`);
  }
}

function clash(one: Address, other: Address): boolean {
  if (one.port === 0 || one.port !== other.port) return false;
  return one.host === other.host || EVERYWHERE.has(one.host) || EVERYWHERE.has(other.host);
}
