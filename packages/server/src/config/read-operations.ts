import { isBaseUrl } from './read-mcp.js';
import type { SettingReader } from './setting-reader.js';
import type { IntegerName, SettingName } from './settings.js';
import { readWorkbenchOrigins, type WorkbenchOrigins } from './workbench-origins.js';

export interface Ttl {
  readonly defaultMs: number;
  readonly maxMs: number;
}

export interface OperationSettings {
  readonly ttl: { readonly operation: Ttl; readonly bundle_deploy: Ttl; readonly session_start: Ttl };
  /** The base URL of external pages. Absent: this server's own pages. */
  readonly bundleBaseUrl?: string;
  readonly sessionBaseUrl?: string;
  /** `?k=` is accepted, too. It ends up in logs and histories of others, so only where old pages need it. */
  readonly querySecrets: boolean;
  /** `secret` in a body is accepted, too. */
  readonly bodySecrets: boolean;
  /** On external pages only: the handle alone may read and post claims. */
  readonly handleOnly: boolean;
  /** Whose pages may call the API from other servers. */
  readonly workbenchOrigins: WorkbenchOrigins;
  /** How long the server looks by itself after the last ask or claim. */
  readonly lateMs: number;
  /** Of requests with the right secret. */
  readonly perHandlePerMinute: number;
  /** Of all others. */
  readonly perAddressPerMinute: number;
}

export function readOperations(reader: SettingReader): OperationSettings {
  const ttl = (fallback: IntegerName, max: IntegerName): Ttl => ({
    defaultMs: reader.integer(fallback) * 1_000,
    maxMs: reader.integer(max) * 1_000,
  });
  const bundleBaseUrl = baseUrl(reader, 'MCP_XDALA_BUNDLE_DEPLOY_BASE_URL');
  const sessionBaseUrl = baseUrl(reader, 'MCP_XDALA_SESSION_START_BASE_URL');
  const places = reader.choice('HANDOVER_QUERY_SECRETS');
  const external = bundleBaseUrl !== undefined || sessionBaseUrl !== undefined;
  return Object.freeze({
    ttl: {
      operation: ttl('MCP_OPERATION_DEFAULT_TTL_SECONDS', 'MCP_OPERATION_MAX_TTL_SECONDS'),
      bundle_deploy: ttl('MCP_BUNDLE_DEPLOY_DEFAULT_TTL_SECONDS', 'MCP_BUNDLE_DEPLOY_MAX_TTL_SECONDS'),
      session_start: ttl('MCP_SESSION_START_DEFAULT_TTL_SECONDS', 'MCP_SESSION_START_MAX_TTL_SECONDS'),
    },
    ...(bundleBaseUrl !== undefined && { bundleBaseUrl }),
    ...(sessionBaseUrl !== undefined && { sessionBaseUrl }),
    querySecrets: places === '1' || (places === 'auto' && external),
    bodySecrets: places !== '0',
    handleOnly: readHandleOnly(reader, external),
    workbenchOrigins: readWorkbenchOrigins(reader, { bundleBaseUrl, sessionBaseUrl }),
    lateMs: reader.integer('HANDOVER_LATE_HOURS') * 3_600_000,
    perHandlePerMinute: reader.integer('MCP_PUBLIC_HANDOFF_PER_HANDLE_PER_MINUTE'),
    perAddressPerMinute: reader.integer('MCP_PUBLIC_HANDOFF_PER_IP_PER_MINUTE'),
  });
}

function readHandleOnly(reader: SettingReader, external: boolean): boolean {
  const isAllowed = reader.choice('HANDOVER_HANDLE_ONLY') !== '0';
  if (external && !isAllowed)
    reader.warn(
      'HANDOVER_HANDLE_ONLY=0: the external pages get no secret and may not use the handle alone, so they cannot read what they are to show',
    );
  return isAllowed;
}

function baseUrl(reader: SettingReader, name: SettingName): string | undefined {
  const text = reader.given(name);
  if (text === undefined) return undefined;
  if (isBaseUrl(text)) return text.replace(/\/+$/, '');
  reader.problem(name, 'must be an https URL without query or user name, or http on loopback');
  return undefined;
}
