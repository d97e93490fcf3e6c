/**
 * The level of the log's format: which kinds of entry may stand in it. An entry in the configuration says which one a log
 * has reached, so that a reader of the log, or of an export, knows what to expect. The tables carry it as a migration:
 * that is what stops an older server, for which the entry would be only an unknown type.
 *
 * 1: version 0.1.0. 2: operations with asks and claims, carriers, rules by `rev`.
 */
import { type ConfigurationState, FaultCode, HandoverError } from '@handover/core';
import { BEGINNING, type Engine } from '@handover/engine';
import type { Log } from '../../observe/log.js';
import { configurationRef } from './configuration-ref.js';

export const FORMAT_LEVEL = 2;

/** Before anything else is written. */
export async function raiseFormat(engine: Engine, log: Log): Promise<void> {
  const command = { kind: 'raiseFormat', level: FORMAT_LEVEL } as const;
  const steps = [{ stream: configurationRef, command }] as const;
  try {
    const isFresh = (await engine.behind(BEGINNING)) === 0;
    const answer = await engine.submit({ agent: '_runtime', steps, bytes: 0 });
    if (!answer.ok) throw new HandoverError(FaultCode.INTERNAL, answer.rejection.message);
    if (!isFresh && answer.results[0].entries.length > 0)
      log.info('store.format_raised', { level: FORMAT_LEVEL });
  } catch (thrown) {
    // A full disk must not keep the server from answering reads. Nothing else can be stored then either.
    if (!(thrown instanceof HandoverError && thrown.code === FaultCode.NOT_STORED)) throw thrown;
    log.warn('store.format_not_raised', { message: 'the format level is recorded at the next start' });
  }
}

/** A store without migrations, or a copied log, may hold what this version cannot read. */
export function refuseNewerFormat(state: ConfigurationState | undefined): void {
  const level = state?.format ?? 1;
  if (level > FORMAT_LEVEL)
    throw new HandoverError(
      FaultCode.CONFIGURATION,
      `the data was written by a newer version of Handover (format level ${level}, this one knows ${FORMAT_LEVEL}); upgrade Handover`,
    );
}
