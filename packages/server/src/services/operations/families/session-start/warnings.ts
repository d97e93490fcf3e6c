/** Warnings about the request of a session start, in the form of its findings. */
import type { Issue } from '@handover/core';

/** Every code in `validation.warnings` of a session start. */
export const SESSION_WARNINGS = [
  'CHAIN_NOT_READ',
  'CHAIN_SILENT',
  'CHAIN_DIFFERS',
  'AUTHORITY_UNAVAILABLE',
  'EXECUTOR_LIST_UNAVAILABLE',
  'OSTC_HASH_UNAVAILABLE',
  'ENTRY_STEP_INFERRED_LOW_CONFIDENCE',
  'PAYLOAD_FIELDS_MISSING',
] as const;
export type SessionWarning = (typeof SESSION_WARNINGS)[number];

export const warn = (code: SessionWarning, message: string, path?: string): Issue => ({
  level: 'warning',
  code,
  message,
  ...(path !== undefined && { path }),
});

export const NOT_READ = warn(
  'CHAIN_NOT_READ',
  'this server has no RPC for the chain: it has read nothing from it, and will not see what becomes of the sessions',
);
