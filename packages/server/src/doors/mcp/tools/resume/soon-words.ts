/** From when on work can be taken over, for a caller that finds nothing before. */
import { iso } from '../../../../platform/iso.js';
import type { Resumed } from '../../../../services/handoffs/resume/types.js';
import { shownName } from '../../../../services/handoffs/shown/words.js';

export function soonWords({ soon }: Pick<Resumed, 'soon'>): string {
  if (!soon) return '';
  const [owner, key] = [shownName(soon.owner), shownName(soon.sessionKey)];
  return ` ${owner} has ${key}: if it stays silent, take: true takes that over from ${iso(soon.possibleAt)} on.`;
}
