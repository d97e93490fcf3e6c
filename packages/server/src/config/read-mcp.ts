import { isToolSet, type ToolSetName } from '../auth/tool-sets.js';
import { isLoopback } from './address.js';
import type { SettingReader } from './setting-reader.js';

export interface McpSettings {
  /**
   * Without a slash at its end. Absent: URLs begin with the address by which the client or the page reaches the server.
   */
  readonly publicBaseUrl?: string;
  readonly toolSets: readonly ToolSetName[];
}

const BASE = 'MCP_PUBLIC_BASE_URL';

export function readMcp(reader: SettingReader): McpSettings {
  const toolSets = Object.freeze(reader.list('HANDOVER_TOOLSETS').filter(isToolSet));
  const publicBaseUrl = readPublicBaseUrl(reader);
  return Object.freeze({ toolSets, ...(publicBaseUrl !== undefined && { publicBaseUrl }) });
}

function readPublicBaseUrl(reader: SettingReader): string | undefined {
  const text = reader.given(BASE);
  if (text === undefined) return undefined;
  if (isBaseUrl(text)) return text.replace(/\/+$/, '');
  reader.problem(BASE, 'must be an https URL without query or user name, or http on loopback');
  return undefined;
}

export function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  if (username !== '' || password !== '' || search !== '' || hash !== '') return false;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return protocol === 'https:' || (protocol === 'http:' && (host === 'localhost' || isLoopback(host)));
}
