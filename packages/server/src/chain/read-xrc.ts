/** What XRC contracts say of themselves, through the RPC alone. Texts come back as stored: nothing is parsed or reordered. */
import { decodeAddress, decodeAddresses, decodeText, Selector, textCall } from '@handover/evm';
import { fixedLimits } from '../config/fixed-limits.js';
import { type ChainCall, ChainRefused, ChainUnavailable, type Hex } from './port.js';

interface Caller {
  call(call: ChainCall): Promise<Hex>;
}

/** Undefined: the contract knows no such id, or there is none. Throws ChainUnavailable when nothing was learned. */
export function readOstcText(client: Caller, address: Hex, ostcId: string): Promise<string | undefined> {
  return readText(client, { to: address, data: textCall(Selector.getOstc, ostcId) });
}

export function readRuleText(client: Caller, address: Hex): Promise<string | undefined> {
  return readText(client, { to: address, data: `0x${Selector.getRule}` });
}

export interface XrcAuthority {
  readonly owner?: string;
  /** Without the zero address. */
  readonly executors?: readonly string[];
  /** The zero address is on the list: anyone may run it. */
  readonly executorWildcard: boolean;
  readonly authorityStatus: 'resolved' | 'unavailable';
}

/** A text in ABI form has up to three words beside it. */
const MAX_TEXT_HEX = 2 * (fixedLimits.contractTextBytes.value + 3 * 32);
const NOBODY = `0x${'0'.repeat(40)}`;

/** Does not throw when there is no answer: who may start is then `unavailable`. */
export async function readAuthority(client: Caller, address: Hex): Promise<XrcAuthority> {
  const read = async <T>(selector: string, decode: (data: Hex) => T | undefined) => {
    try {
      const answer = await answerOf(client, { to: address, data: `0x${selector}` });
      return answer === undefined ? undefined : decode(answer);
    } catch (failure) {
      if (failure instanceof ChainUnavailable) return undefined;
      throw failure;
    }
  };
  const owner = (await read(Selector.owner, decodeAddress)) ?? (await read(Selector.getOwner, decodeAddress));
  const listed = await read(Selector.getExecutorList, decodeAddresses);
  return {
    ...(owner !== undefined && { owner }),
    ...(listed && { executors: listed.filter((one) => one !== NOBODY) }),
    executorWildcard: listed?.includes(NOBODY) ?? false,
    authorityStatus: owner === undefined && listed === undefined ? 'unavailable' : 'resolved',
  };
}

async function readText(client: Caller, call: ChainCall): Promise<string | undefined> {
  const answer = await answerOf(client, call);
  return answer === undefined || answer.length > MAX_TEXT_HEX ? undefined : decodeText(answer);
}

/** An address without a contract answers every call with nothing. */
async function answerOf(client: Caller, call: ChainCall): Promise<Hex | undefined> {
  try {
    const answer = await client.call(call);
    return answer === '0x' ? undefined : answer;
  } catch (failure) {
    if (failure instanceof ChainRefused) return undefined;
    throw failure;
  }
}
