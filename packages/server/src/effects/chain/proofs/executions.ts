/**
 * What a contract account has carried out, as the log tells: a Safe writes a line for each of its transactions, and for
 * each call of a module, an EntryPoint one for each operation of an account. A line says which hash was carried out, or by
 * which module, and in which transaction; it proves nothing about the call inside.
 */
import {
  addressWord,
  type EventLog,
  readModuleExecution,
  readSafeExecution,
  readUserOperation,
  SafeTopic,
  USER_OPERATION_TOPIC,
} from '@handover/evm';
import {
  type ChainClient,
  ChainErrored,
  type ChainLog,
  ChainRefused,
  ChainTooLarge,
  type Hex,
  type LogQuery,
} from '../../../chain/port.js';
import { fixedLimits } from '../../../config/fixed-limits.js';

export interface Execution {
  readonly kind: 'safe' | 'userop' | 'module';
  /** What the owners signed; of a module, for which they sign nothing, its address. */
  readonly value: string;
  readonly success: boolean;
}

/** An execution, and the transaction that carried it. */
export interface CarriedExecution extends Execution {
  readonly carrier: Hex;
  readonly block: number;
}

export interface ExecutionScan {
  readonly found: readonly CarriedExecution[];
  /** Every block up to this one was read. */
  readonly through: number;
}

/** The lines of one receipt that tell of an account. */
export function executionsIn(
  logs: readonly EventLog[],
  account: string,
  entryPoints: readonly string[],
): readonly Execution[] {
  return logs.flatMap((log): readonly Execution[] => {
    if (log.address === account) return ownExecution(log);
    const operation = entryPoints.includes(log.address) ? readUserOperation(log) : undefined;
    if (operation?.sender !== account) return [];
    return [{ kind: 'userop', value: operation.userOpHash, success: operation.success }];
  });
}

function ownExecution(log: EventLog): readonly Execution[] {
  const safe = readSafeExecution(log);
  if (safe) return [{ kind: 'safe', value: safe.safeTxHash, success: safe.success }];
  const module = readModuleExecution(log);
  return module === undefined ? [] : [{ kind: 'module', value: module, success: true }];
}

/** Reads on from a block towards the head, as far as one look may. */
export async function scanExecutions(
  client: ChainClient,
  account: string,
  entryPoints: readonly string[],
  from: number,
  head: number,
): Promise<ExecutionScan> {
  const found: CarriedExecution[] = [];
  let width: number = fixedLimits.logBlocks.value;
  let next = from;
  for (let asked = 0; next <= head && asked < fixedLimits.logRequests.value; asked++) {
    const range = { from: next, to: Math.min(head, next + width - 1) };
    const lines = await linesOf(client, account, entryPoints, range);
    if (lines) {
      found.push(...lines);
      next = range.to + 1;
    } else if (width === 1) break;
    else width = Math.ceil(width / 2);
  }
  return { found, through: next - 1 };
}

/** Undefined: the RPC does not give so much at once. */
async function linesOf(
  client: ChainClient,
  account: string,
  entryPoints: readonly string[],
  range: Pick<LogQuery, 'from' | 'to'>,
): Promise<readonly CarriedExecution[] | undefined> {
  const safe = { address: [account], topics: [Object.values(SafeTopic)], ...range };
  const operations = {
    address: entryPoints,
    topics: [USER_OPERATION_TOPIC, null, addressWord(account)],
    ...range,
  };
  try {
    const lines = [...(await client.logs(safe)), ...(await client.logs(operations))];
    return lines.flatMap((line) => carried(line, account, entryPoints));
  } catch (failure) {
    const isTooMuch =
      failure instanceof ChainErrored || failure instanceof ChainRefused || failure instanceof ChainTooLarge;
    if (isTooMuch) return undefined;
    throw failure;
  }
}

const carried = (
  line: ChainLog,
  account: string,
  entryPoints: readonly string[],
): readonly CarriedExecution[] =>
  executionsIn([line], account, entryPoints).map((one) => ({
    ...one,
    carrier: line.transactionHash,
    block: line.blockNumber,
  }));
