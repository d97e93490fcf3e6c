/**
 * What a token writes to its log when a call of an account did what it says. Only the called contract's own lines count:
 * it is the contract that was asked for, whatever another writes.
 */
import type { AbiValue } from '../abi/abi-type.js';
import { readCalldata } from '../calldata/read-calldata.js';
import type { AskedCall } from './call.js';
import { addressWord, type EventLog, numberWord, wordOf } from './log.js';

const Topic = {
  Transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  Approval: '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  TransferSingle: '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
} as const;

/** A line of a log as words: what stands in topics and what in the data is put in one row. */
type Line = readonly string[];

/** Which lines of a transaction's log show it, by their place; undefined: for such a call a log shows nothing. */
export function effectLines(
  account: string,
  asked: AskedCall,
  logs: readonly EventLog[],
): readonly number[] | undefined {
  const expected = expectedLine(account, asked);
  if (!expected) return undefined;
  const isShown = (log: EventLog) =>
    log.address === asked.to?.toLowerCase() && isSameLine(lineOf(log), expected);
  return logs.flatMap((log, place) => (isShown(log) ? [place] : []));
}

function expectedLine(account: string, { to, value, data }: AskedCall): Line | undefined {
  // Coins leave no line in the log.
  if (to === undefined || value !== 0n) return undefined;
  const { call } = readCalldata({ to, value, data });
  if (call?.source !== 'built-in') return undefined;
  const [first, second, third, fourth] = call.arguments.map(({ value: one }) => one);
  switch (call.signature) {
    case 'transfer(address,uint256)':
      return [Topic.Transfer, addressWord(account), address(first), number(second)];
    case 'transferFrom(address,address,uint256)':
    case 'safeTransferFrom(address,address,uint256)':
    case 'safeTransferFrom(address,address,uint256,bytes)':
      return [Topic.Transfer, address(first), address(second), number(third)];
    case 'approve(address,uint256)':
      return [Topic.Approval, addressWord(account), address(first), number(second)];
    case 'safeTransferFrom(address,address,uint256,uint256,bytes)':
      return [
        Topic.TransferSingle,
        addressWord(account),
        address(first),
        address(second),
        number(third),
        number(fourth),
      ];
    default:
      return undefined;
  }
}

const address = (value: AbiValue | undefined): string => addressWord(String(value));
const number = (value: AbiValue | undefined): string => numberWord(BigInt(String(value)));

function lineOf({ topics, data }: EventLog): Line {
  const words: string[] = [...topics];
  for (let n = 0, word = wordOf(data, 0); word !== undefined; word = wordOf(data, ++n)) words.push(word);
  return words;
}

const isSameLine = (line: Line, expected: Line): boolean =>
  line.length === expected.length && line.every((word, i) => word === expected[i]);
