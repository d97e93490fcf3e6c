/**
 * Whom a caller believes to be, in the header `Handover-Agent` (percent-encoded). The credential alone says who it is;
 * but one that was started in another's name must not work on under its own.
 */
import type { Principal } from '../../../auth/principal.js';
import { decodedHeader } from './decoded-header.js';

const AGENT_HEADER = 'handover-agent';

/** Undefined when it claims nothing, or what is true. */
export function agentFlaw({ headers }: Request, { agent }: Principal): string | undefined {
  const claimed = headers.get(AGENT_HEADER);
  if (claimed === null || decodedHeader(claimed) === agent) return undefined;
  return `the token is that of ${agent}, and not of the agent that was named; leave --agent out, or name ${agent}`;
}
