/** Where `export` and `receipt` find a session: the data folder, opened read-only beside a running server. */
import { FaultCode, HandoverError, StreamKind, type StreamRef } from '@handover/core';
import { dataPath } from '../config/data-path.js';
import { DEFAULT_TENANT } from '../services/dependencies.js';
import { openSqliteReadOnly, type SqliteReadOnly } from '../store/sqlite/index.js';

export interface SourceOptions {
  readonly data?: string;
  readonly tenant?: string;
}

export interface SessionSource {
  readonly folder: string;
  readonly ref: StreamRef<'session'>;
  readonly view: SqliteReadOnly;
}

export async function withSession<T>(
  sessionId: string,
  { data, tenant = DEFAULT_TENANT }: SourceOptions,
  use: (source: SessionSource) => Promise<T>,
): Promise<T> {
  const folder = data ?? dataPath(process.env);
  const ref = { tenant, kind: StreamKind.Session, id: sessionId } as const;
  const view = await openSqliteReadOnly(folder);
  try {
    if ((await view.load(ref, 0, 1)).length === 0)
      throw new HandoverError(
        FaultCode.CONFIGURATION,
        `there is no session ${sessionId} of tenant ${tenant} in ${folder}`,
      );
    return await use({ folder, ref, view });
  } finally {
    await view.close();
  }
}

/** A log with a flaw is not passed on as if it were sound. */
export function unsound(
  ref: StreamRef,
  flaw: { readonly seq?: number; readonly what: string },
): HandoverError {
  const where = flaw.seq === undefined ? '' : `, entry ${flaw.seq}`;
  return new HandoverError(
    FaultCode.DATA_LOSS,
    `the log of session ${ref.id} is flawed${where}: ${flaw.what}`,
  );
}
