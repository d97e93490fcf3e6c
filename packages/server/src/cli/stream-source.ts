/** Where `export` and `receipt` find what they are about: the data folder, opened read-only beside a running server. */
import { FaultCode, HandoverError, type StreamRef } from '@handover/core';
import { DEFAULT_TENANT } from '../services/dependencies.js';
import { openSqliteReadOnly, type SqliteReadOnly } from '../store/sqlite/index.js';
import { notFound } from './conventions/failure.js';
import { type DataFlags, dataFolder } from './conventions/flags.js';
import { requireData } from './require-data.js';

export interface SourceFlags extends DataFlags {
  readonly tenant?: string;
}

export interface StreamSource<Ref extends StreamRef> {
  readonly folder: string;
  readonly ref: Ref;
  readonly view: SqliteReadOnly;
}

export async function withStream<Ref extends StreamRef, T>(
  refOf: (tenant: string) => Ref,
  { tenant = DEFAULT_TENANT, ...named }: SourceFlags,
  use: (source: StreamSource<Ref>) => Promise<T>,
): Promise<T> {
  const folder = dataFolder(named);
  const ref = refOf(tenant);
  await requireData(folder);
  const view = await openSqliteReadOnly(folder);
  try {
    if ((await view.load(ref, 0, 1)).length === 0)
      throw notFound(`there is no ${ref.kind} ${ref.id} of tenant ${tenant} in ${folder}`);
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
    `the log of ${ref.kind} ${ref.id} is flawed${where}: ${flaw.what}`,
  );
}
