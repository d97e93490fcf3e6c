/** Which pages of other servers may call the API of which records, by the exact origin that a browser names. */
import type { SettingReader } from './setting-reader.js';

export interface WorkbenchOrigins {
  /** By the beginning of the path. */
  readonly [path: string]: readonly string[];
}

const ORIGIN = /^https:\/\/(?:[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/;

export interface ExternalPages {
  readonly bundleBaseUrl: string | undefined;
  readonly sessionBaseUrl: string | undefined;
}

export function readWorkbenchOrigins(
  reader: SettingReader,
  { bundleBaseUrl, sessionBaseUrl }: ExternalPages,
): WorkbenchOrigins {
  const isGiven = reader.given('HANDOVER_WORKBENCH_ORIGINS') !== undefined;
  const list = isGiven ? reader.list('HANDOVER_WORKBENCH_ORIGINS') : [];
  const named = list.map((origin) => origin.toLowerCase());
  if (!named.every((origin) => ORIGIN.test(origin)))
    reader.problem(
      'HANDOVER_WORKBENCH_ORIGINS',
      'must be exact origins such as https://workbench.example, separated by commas; * is not one',
    );
  const of = (url: string | undefined) =>
    Object.freeze([...new Set([...(url === undefined ? [] : [new URL(url).origin]), ...named])]);
  return Object.freeze({
    '/api/bundle-deploy/': of(bundleBaseUrl),
    '/api/session-start/': of(sessionBaseUrl),
  });
}

export const isWorkbench = (origins: WorkbenchOrigins, path: string, origin: string): boolean =>
  Object.entries(origins).some(([under, allowed]) => path.startsWith(under) && allowed.includes(origin));
