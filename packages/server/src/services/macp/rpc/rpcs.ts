/** Every RPC that doors answer from one table. One that is missing does not compile. */
import type { MacpServices } from '../macp-services.js';
import { discoveryRpcs } from './discovery.js';
import { modeRpcs } from './modes.js';
import { policyRpcs } from './policies.js';
import { receiptRpcs } from './receipts.js';
import type { UnaryRpcs } from './rpc.js';
import { sessionRpcs } from './sessions.js';
import { type WatchRpcs, watchRpcs } from './watches.js';
import { whatIfRpcs } from './what-if.js';

export interface Rpcs {
  readonly unary: UnaryRpcs;
  readonly watches: WatchRpcs;
}

export function createRpcs(services: MacpServices): Rpcs {
  return {
    unary: {
      ...discoveryRpcs(services),
      ...sessionRpcs(services),
      ...modeRpcs(services),
      ...policyRpcs(services),
      ...receiptRpcs(services),
      ...whatIfRpcs(services),
    },
    watches: watchRpcs(services),
  };
}
