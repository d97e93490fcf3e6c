/** What the MACP doors can ask: one set of services for all of them, so that limits count across doors. */
import type { ServiceDependencies } from '../dependencies.js';
import { HistoryWork } from '../history-work.js';
import { DecisionReceipts } from './decision-receipts.js';
import { OpenSessionQuota } from './open-session-quota.js';
import { Registries } from './registries.js';
import { SendService } from './send.js';
import { Sessions } from './sessions.js';
import { Watches } from './watches.js';
import { WhatIf } from './what-if.js';

export interface MacpServices {
  readonly deps: ServiceDependencies;
  readonly quota: OpenSessionQuota;
  readonly send: SendService;
  readonly sessions: Sessions;
  readonly registries: Registries;
  readonly watches: Watches;
  readonly receipts: DecisionReceipts;
  readonly whatIf: WhatIf;
}

export function createMacpServices(deps: ServiceDependencies): MacpServices {
  const quota = new OpenSessionQuota(deps);
  const registries = new Registries(deps);
  const sessions = new Sessions(deps);
  const work = new HistoryWork();
  return {
    deps,
    quota,
    send: new SendService(deps, quota),
    sessions,
    registries,
    watches: new Watches(deps, registries),
    receipts: new DecisionReceipts(deps, sessions, work),
    whatIf: new WhatIf(deps, sessions, work),
  };
}
