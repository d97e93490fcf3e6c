/**
 * The names under which `handover install` has connected assistants to a data folder: one can hand work to them before they
 * came for the first time. It is no right of theirs, so what is damaged, another user's or too large says nothing.
 */
import { join } from 'node:path';
import { isFields } from '@handover/core';
import { isAgentName } from '../auth/agent-name.js';
import { plainText } from '../platform/plain-file.js';

/** As `handover install` writes it. */
export const INSTALLED_FILE = 'installed.json';
export const MAX_INSTALLED_BYTES = 1_048_576;
const MOST_NAMES = 100;

export function installedAgents(folder: string): readonly string[] {
  const names = new Set(insertionsIn(folder).flatMap(agentOf));
  return [...names].slice(0, MOST_NAMES);
}

/** Who works at a server elsewhere never comes to this one. */
function agentOf(insertion: unknown): readonly string[] {
  if (!isFields(insertion) || insertion.elsewhere !== undefined) return [];
  const { agent } = insertion;
  return isAgentName(agent) ? [agent] : [];
}

function insertionsIn(folder: string): readonly unknown[] {
  try {
    const record: unknown = JSON.parse(
      plainText(join(folder, INSTALLED_FILE), MAX_INSTALLED_BYTES, 'own') ?? '',
    );
    return isFields(record) && Array.isArray(record.insertions) ? record.insertions : [];
  } catch {
    return [];
  }
}
