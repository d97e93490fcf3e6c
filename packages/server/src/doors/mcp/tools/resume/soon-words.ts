/** From when on work can be taken over, for a caller that finds nothing before. */
import { iso } from '../../../../platform/iso.js';
import type { Resumed } from '../../../../services/handoffs/resume/types.js';
import { takeCommand } from '../../../../services/handoffs/shown/take-command.js';
import { shownName } from '../../../../services/handoffs/shown/words.js';

export interface Taker {
  readonly agent: string;
  /** On the machine of the server, where its user has a command. */
  readonly isLocal?: boolean | undefined;
}

export function soonWords({ soon }: Pick<Resumed, 'soon'>, { agent, isLocal = false }: Taker): string {
  if (!soon) return '';
  const [owner, key] = [shownName(soon.owner), shownName(soon.sessionKey)];
  const command = isLocal ? takeCommand(soon.sessionKey, agent) : undefined;
  const now = command === undefined ? '' : `, or now, if the user says so: ${command}`;
  return ` ${owner} has ${key}: if it stays silent, take: true takes that over from ${iso(soon.possibleAt)} on${now}.`;
}
