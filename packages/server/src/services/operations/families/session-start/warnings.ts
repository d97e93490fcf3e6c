/** Warnings about the request of a session start, in the form of its findings. */
import type { Issue } from '@handover/core';

export const warn = (code: string, message: string): Issue => ({ level: 'warning', code, message });

export const NOT_READ = warn(
  'CHAIN_NOT_READ',
  'this server has no RPC for the chain: it has read nothing from it, and will not see what becomes of the sessions',
);
