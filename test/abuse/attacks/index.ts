/** All attacks, in the order of the list of findings. */
import type { Attack } from '../attack.js';
import { costlyDocuments } from './h01-costly-documents.js';

export const ATTACKS: readonly Attack[] = [costlyDocuments];

export function attackOn(row: string): Attack {
  const attack = ATTACKS.find((one) => one.row === row);
  if (!attack) throw new Error(`there is no attack ${row}; there are ${ATTACKS.map((one) => one.row).join(', ')}`);
  return attack;
}
