/** ERC-4337: what an EntryPoint says of an operation that it has carried out. */
import { type EventLog, wordOf } from './log.js';

export const USER_OPERATION_TOPIC = '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f';

/** 0.6 to 0.9; they stand at the same address on every chain. */
export const ENTRY_POINTS: readonly string[] = [
  '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789',
  '0x0000000071727de22e5e9d8baf0edac6f37da032',
  '0x4337084d9e255ff0702461cf8895ce9e3b5ff108',
  '0x433709009b8330fda32311df1c2afa402ed8d009',
];

export interface UserOperation {
  readonly userOpHash: string;
  readonly sender: string;
  readonly success: boolean;
}

export function readUserOperation({ topics, data }: EventLog): UserOperation | undefined {
  const [kind, userOpHash, sender] = topics;
  const success = wordOf(data, 1);
  if (kind !== USER_OPERATION_TOPIC || userOpHash === undefined || sender === undefined) return undefined;
  if (success === undefined) return undefined;
  return { userOpHash, sender: `0x${sender.slice(26)}`, success: BigInt(success) !== 0n };
}
