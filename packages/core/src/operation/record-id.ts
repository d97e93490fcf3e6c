/** Ids of records: they say which family a record is of, and prove nothing. */
import { Family } from './state.js';

export interface RecordIdForm {
  readonly prefix: string;
  /** How many hex digits follow the prefix of one that a server makes. */
  readonly digits: number;
  /** What passes as one, as a JSON schema writes it. */
  readonly pattern: string;
}

const form = (prefix: string, digits: number): RecordIdForm => ({
  prefix,
  digits,
  pattern: `^${prefix}[A-Za-z0-9_-]{${digits},125}$`,
});

export const RECORD_IDS: Readonly<Record<Family, RecordIdForm>> = {
  [Family.Operation]: form('op_', 32),
  [Family.BundleDeploy]: form('bd_', 48),
  [Family.SessionStart]: form('ss_', 48),
};

const SHAPES = Object.values(Family).map(
  (family) => [family, new RegExp(RECORD_IDS[family].pattern)] as const,
);

export function familyOfId(id: string): Family | undefined {
  return SHAPES.find(([, shape]) => shape.test(id))?.[0];
}
