/** Resources of the server itself: health, metrics and configuration. */
import { Scope } from '../../../auth/scopes.js';
import type { Metrics } from '../../../observe/metrics.js';
import { iso } from '../../../platform/iso.js';
import type { ConfigurationService } from '../../../services/configuration/types.js';
import { mapOutcome } from '../../../services/outcome.js';
import { CONFIGURATION_TOPIC } from '../changes/topics.js';
import type { ResourceKind } from './resource-kind.js';
import { NEWEST } from './session-resources.js';

export interface ServerResourceDependencies {
  readonly configuration: ConfigurationService;
  readonly metrics: Metrics;
  readonly health: () => { readonly ok: boolean; readonly name: string; readonly version: string };
  readonly now: () => number;
}

const SAMPLE = /^([a-zA-Z_:][\w:]*(?:\{.*\})?) (\S+)$/gm;

export function serverResources(deps: ServerResourceDependencies): readonly ResourceKind[] {
  const { configuration, metrics, health, now } = deps;
  return [
    {
      name: 'health',
      title: 'Health of the server',
      description: 'Whether the server works, its name and version.',
      path: 'health',
      scope: Scope.HANDOFF_READ,
      read: async () => ({ value: { ...health(), timestamp: iso(now()) } }),
    },
    {
      name: 'metrics',
      title: 'Metrics of the server',
      description: 'For administrators: counters and gauges, by name and labels.',
      path: 'metrics',
      scope: Scope.HANDOFF_ADMIN,
      read: async () => {
        const samples = [...(await metrics.render()).matchAll(SAMPLE)];
        const values = Object.fromEntries(samples.map(([, name = '', value = '']) => [name, Number(value)]));
        return { value: { metrics: values, timestamp: iso(now()) } };
      },
    },
    {
      name: 'configuration',
      title: 'Configuration of the server',
      description: 'For administrators: the settings the server runs on; secrets are redacted.',
      path: 'configuration',
      scope: Scope.HANDOFF_ADMIN,
      read: async (_, principal) =>
        mapOutcome(await configuration.get(principal, {}), (view) => ({
          configuration: { ...view.configuration },
          ...(view.staged && { staged: { ...view.staged } }),
          timestamp: iso(view.timestamp),
        })),
      watch: { topics: () => [CONFIGURATION_TOPIC], version: async () => NEWEST },
    },
  ];
}
