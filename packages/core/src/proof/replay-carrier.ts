import { type CarrierCommand, type CarrierState, carrierDecider } from '../carrier/carrier-decider.js';
import type { Replay } from './replay.js';

export const carrierReplay: Replay<CarrierState, CarrierCommand> = {
  decider: carrierDecider,
  retell(state, { facts }) {
    const { tenant, operation, step } = facts;
    const command = {
      kind: 'take',
      tenant: String(tenant),
      operation: String(operation),
      step: String(step),
    } as const;
    return { state, command, consulted: {} };
  },
};
