import { StreamKind, type StreamRef } from '@handover/core';
import { DEFAULT_TENANT } from '../dependencies.js';

/** One for the server: its settings are not a tenant's to change. */
export const configurationRef: StreamRef<'configuration'> = {
  tenant: DEFAULT_TENANT,
  kind: StreamKind.Configuration,
  id: 'configuration',
};
