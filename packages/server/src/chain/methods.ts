/** Every JSON-RPC method that this server ever calls. None of them signs, sends, or changes anything. */
export const READ_METHODS = [
  'eth_chainId',
  'eth_blockNumber',
  'eth_getBlockByNumber',
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
  'eth_call',
  'eth_getCode',
  'eth_getTransactionCount',
  'eth_getTransactionBySenderAndNonce',
  'eth_getLogs',
  'eth_getStorageAt',
  'debug_traceTransaction',
  'xgr_sessionAlive',
  'xgr_stepExecuted',
  'xgr_getNextProcessId',
] as const;
export type ReadMethod = (typeof READ_METHODS)[number];

export function isReadMethod(name: string): name is ReadMethod {
  return (READ_METHODS as readonly string[]).includes(name);
}
