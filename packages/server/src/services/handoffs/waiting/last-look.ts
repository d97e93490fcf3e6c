/**
 * What is told once is told when it happened after the agent last looked. A look at one project is none at another, and a
 * look at all of them is one at each.
 */
import type { AgentStore } from '@handover/engine';
import { ANY_PROJECT, type WantedProject } from '../../project.js';
import type { Viewer } from './look.js';

/** Who was away longer is not told what nobody remembers. */
const LONGEST_MS = 7 * 86_400_000;

/** From when on something is news to whoever was told nothing. */
export const newsSince = (now: number): number => now - LONGEST_MS;

export const lookedAt = (project: WantedProject): string => (project === ANY_PROJECT ? '' : (project ?? ''));

export async function lastLook(
  agents: Pick<AgentStore, 'find'>,
  { tenant, agent, project }: Pick<Viewer, 'tenant' | 'agent' | 'project'>,
  now: number,
): Promise<number> {
  const looks = (await agents.find(tenant, agent))?.looks ?? {};
  return Math.max(newsSince(now), looks[''] ?? 0, looks[lookedAt(project)] ?? 0);
}
