/** The log that a receipt is compared with, where it is an export, and what is said of a log that cannot be compared. */
import { type Entry, FaultCode, type Flaw, HandoverError, readCanonical, readExport } from '@handover/core';
import { nodeCodec } from '../platform/node-codec.js';

/** The entries of an export. Throws when it is none. */
export function exportedLog(path: string, text: string): readonly Entry[] {
  const document = readCanonical(text);
  const read = 'flaw' in document ? document : readExport(document.value, nodeCodec);
  if ('flaw' in read)
    throw new HandoverError(FaultCode.DATA_LOSS, `${path}: ${read.flaw.path} ${read.flaw.what}`);
  return read.entries;
}

export function cannotCompare({ seq, what }: Flaw): Flaw {
  const where = seq === undefined ? '' : ` entry ${seq}:`;
  return { path: 'chain', what: `cannot be compared: the log is flawed:${where} ${what}` };
}
