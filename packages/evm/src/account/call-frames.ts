/** The calls inside a transaction, as a node traces them, and those among them that were asked for. */
import type { AskedCall } from './call.js';

/** Hex is lowercase. */
export interface CallFrame {
  /** `CALL`, `DELEGATECALL`, `CREATE` and so on. */
  readonly type: string;
  readonly from: string;
  readonly to?: string;
  readonly value: bigint;
  readonly input: string;
  readonly failed: boolean;
  readonly calls: readonly CallFrame[];
}

export interface FoundFrames {
  /** How many calls of the account are exactly the one asked for, and took effect. */
  readonly done: number;
  /** How many are, and failed, or stand below one that did. */
  readonly failed: number;
  /** The account has made some other call that took effect. */
  readonly other: boolean;
}

export function findFrames(root: CallFrame, account: string, asked: AskedCall): FoundFrames {
  let [done, failed, other] = [0, 0, false];
  // A list instead of recursion: what a node answers decides how deep it is.
  const open: { readonly frame: CallFrame; readonly isVain: boolean }[] = [{ frame: root, isVain: false }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { frame } = next;
    const isVain = next.isVain || frame.failed;
    if (frame.from === account && isOwnCall(frame)) {
      if (!isAsked(frame, asked)) other ||= !isVain;
      else if (isVain) failed += 1;
      else done += 1;
    }
    for (const call of frame.calls) open.push({ frame: call, isVain });
  }
  return { done, failed, other };
}

const CREATIONS: readonly string[] = ['CREATE', 'CREATE2'];

/** Code that is borrowed (DELEGATECALL) or only read (STATICCALL) is no call of the account to somebody. */
const isOwnCall = ({ type }: CallFrame): boolean => type === 'CALL' || CREATIONS.includes(type);

function isAsked({ type, to, value, input }: CallFrame, asked: AskedCall): boolean {
  if (value !== asked.value || input !== asked.data.toLowerCase()) return false;
  return asked.to === undefined ? CREATIONS.includes(type) : type === 'CALL' && to === asked.to.toLowerCase();
}
