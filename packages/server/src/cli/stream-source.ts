/** Where `export` and `receipt` find what they are about: the log, opened read-only beside a running server. */
import { FaultCode, HandoverError, type StreamRef } from '@handover/core';
import { DEFAULT_TENANT } from '../services/dependencies.js';
import { type CommandFailure, notFound } from './conventions/failure.js';
import type { DataFlags } from './conventions/flags.js';
import { type LogPlace, type LogView, logPlace, openLogView } from './log-view.js';

export interface SourceFlags extends DataFlags {
  readonly tenant?: string;
}

export interface StreamSource<Ref extends StreamRef> {
  readonly folder: string;
  readonly place: LogPlace;
  readonly ref: Ref;
  readonly view: LogView;
}

export async function withStream<Ref extends StreamRef, T>(
  refOf: (tenant: string) => Ref,
  flags: SourceFlags,
  use: (source: StreamSource<Ref>) => Promise<T>,
): Promise<T> {
  return withView(flags, async ({ folder, place, tenant, view }) => {
    const ref = refOf(tenant);
    if (!(await holds(view, ref))) throw missing(ref, place.name);
    return use({ folder, place, ref, view });
  });
}

export interface ViewSource {
  /** Of the keys. */
  readonly folder: string;
  readonly place: LogPlace;
  readonly tenant: string;
  readonly view: LogView;
}

export async function withView<T>(
  { tenant = DEFAULT_TENANT, ...named }: SourceFlags,
  use: (source: ViewSource) => Promise<T>,
): Promise<T> {
  const place = logPlace(named);
  const view = await openLogView(place);
  try {
    return await use({ folder: place.folder, place, tenant, view });
  } finally {
    await view.close();
  }
}

export const holds = async (view: LogView, ref: StreamRef): Promise<boolean> =>
  (await view.load(ref, 0, 1)).length > 0;

const missing = ({ kind, id, tenant }: StreamRef, where: string): CommandFailure =>
  notFound(`there is no ${kind} ${id} of tenant ${tenant} in ${where}`);

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
