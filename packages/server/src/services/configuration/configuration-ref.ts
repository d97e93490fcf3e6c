import { StreamKind, type StreamRef } from '@handover/core';
import { DEFAULT_TENANT } from '../dependencies.js';

/** One stream for the whole server: its settings do not belong to a tenant. */
export const configurationRef: StreamRef<'configuration'> = {
  tenant: DEFAULT_TENANT,
  kind: StreamKind.Configuration,
  id: 'configuration',
};
