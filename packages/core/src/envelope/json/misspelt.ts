/**
 * Which field somebody meant by a name that is none. Other names are ignored, since a later version may have them; one that is
 * meant for a field is not: what it says would silently bind somebody to something else.
 */

/** The field of a name that differs from it by case and separators alone, or by one slip of the pen. */
export function meantField(name: string, fields: readonly string[]): string | undefined {
  if (name.length > MAX_COMPARED || fields.includes(name)) return undefined;
  return fields.find((field) => bare(field) === bare(name) || isOneSlip(name, field));
}

/** What RegisterPolicy, GetPolicy and UnregisterPolicy call it, sessions and Commitments call otherwise. */
export const POLICY_NAMES: ReadonlyMap<string, string> = new Map([
  ['policy', 'policy_version'],
  ['policy_id', 'policy_version'],
  ['policyId', 'policy_version'],
]);
/** For whoever thinks of an end, not of the field. */
export const END_NAMES: ReadonlyMap<string, string> = new Map([['final', 'terminal']]);

/** No field is longer. */
const MAX_COMPARED = 64;
/** Shorter names are one letter away from too many words. */
const MIN_SLIPPED = 5;

const bare = (name: string) => name.replace(/[_-]/g, '').toLowerCase();

/** One letter too many, too few or another, or two that changed places. */
function isOneSlip(name: string, field: string): boolean {
  if (field.length < MIN_SLIPPED || Math.abs(name.length - field.length) > 1) return false;
  let from = 0;
  while (from < name.length && name[from] === field[from]) from++;
  let [end, fieldEnd] = [name.length, field.length];
  while (end > from && fieldEnd > from && name[end - 1] === field[fieldEnd - 1]) {
    end--;
    fieldEnd--;
  }
  const [left, right] = [name.slice(from, end), field.slice(from, fieldEnd)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}
