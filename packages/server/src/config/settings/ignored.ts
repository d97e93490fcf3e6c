/** Names of other runtimes that do nothing here. */
import type { Setting } from '../setting.js';

export const ignoredSettings = [
  ignored('MACP_CONCURRENCY_LIMIT_PER_CONNECTION', 'the queue bounds all connections together'),
  ignored('MACP_STRICT_RECOVERY', 'recovery is always strict'),
  ignored('MACP_POLICIES_DRY_RUN', 'policies are always checked before the server is ready'),
  ignored('MACP_CHECKPOINT_INTERVAL', 'the log is never replaced by checkpoints'),
  ignored('MACP_SESSION_RETENTION_SECS', 'memory is bounded by bytes, not by age'),
  ignored('MACP_SESSION_DISK_RETENTION_SECS', 'finished sessions are kept; nothing is removed yet'),
  ignored('MACP_ROCKSDB_PATH', 'there is no RocksDB storage'),
  ignored('MACP_REDIS_URL', 'there is no Redis storage'),
] as const satisfies readonly Setting[];

function ignored<const Name extends string>(name: Name, reason: string) {
  return { name, kind: 'text', default: '', description: `Ignored: ${reason}.`, ignored: reason } as const;
}
