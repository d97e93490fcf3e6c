/** Where `export` and `receipt` find what they are about: the data folder, opened read-only beside a running server. */
import { FaultCode, HandoverError, type StreamRef } from '@handover/core';
import { DEFAULT_TENANT } from '../services/dependencies.js';
import { openSqliteReadOnly, type SqliteReadOnly } from '../store/sqlite/index.js';
import { type CommandFailure, notFound } from './conventions/failure.js';
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
  flags: SourceFlags,
  use: (source: StreamSource<Ref>) => Promise<T>,
): Promise<T> {
  return withView(flags, async ({ folder, tenant, view }) => {
    const ref = refOf(tenant);
    if (!(await holds(view, ref))) throw missing(ref, folder);
    return use({ folder, ref, view });
  });
}

export interface ViewSource {
  readonly folder: string;
  readonly tenant: string;
  readonly view: SqliteReadOnly;
}

export async function withView<T>(
  { tenant = DEFAULT_TENANT, ...named }: SourceFlags,
  use: (source: ViewSource) => Promise<T>,
): Promise<T> {
  const folder = dataFolder(named);
  await requireData(folder);
  const view = await openSqliteReadOnly(folder);
  try {
    return await use({ folder, tenant, view });
  } finally {
    await view.close();
  }
}

export const holds = async (view: SqliteReadOnly, ref: StreamRef): Promise<boolean> =>
  (await view.load(ref, 0, 1)).length > 0;

const missing = ({ kind, id, tenant }: StreamRef, folder: string): CommandFailure =>
  notFound(`there is no ${kind} ${id} of tenant ${tenant} in ${folder}`);

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
