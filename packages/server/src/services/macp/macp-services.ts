/** What the MACP doors can ask: one set of services for all of them, so that limits count across doors. */
import type { ServiceDependencies } from '../dependencies.js';
import { OpenSessionQuota } from './open-session-quota.js';
import { Registries } from './registries.js';
import { SendService } from './send.js';
import { Sessions } from './sessions.js';
import { Watches } from './watches.js';

export interface MacpServices {
  readonly deps: ServiceDependencies;
  readonly quota: OpenSessionQuota;
  readonly send: SendService;
  readonly sessions: Sessions;
  readonly registries: Registries;
  readonly watches: Watches;
}

export function createMacpServices(deps: ServiceDependencies): MacpServices {
  const quota = new OpenSessionQuota(deps);
  const registries = new Registries(deps);
  return {
    deps,
    quota,
    send: new SendService(deps, quota),
    sessions: new Sessions(deps),
    registries,
    watches: new Watches(deps, registries),
  };
}
