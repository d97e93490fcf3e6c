import {
  type Codec,
  type Entry,
  FaultCode,
  HandoverError,
  StreamAudit,
  type StreamRef,
  type StreamVerdict,
} from '@handover/core';

/** Audits a stream that comes in pages; `sound` sees each entry that holds, `rest` may ask for a pause after it. */
export async function verifyPages(
  ref: StreamRef,
  pages: AsyncIterable<readonly Entry[]>,
  codec: Codec,
  sound?: (entry: Entry) => void,
  rest?: () => Promise<void> | undefined,
): Promise<StreamVerdict> {
  const audit = new StreamAudit(ref, codec);
  try {
    for await (const page of pages)
      for (const entry of page) {
        if (!audit.add(entry)) return audit.verdict();
        sound?.(entry);
        const pause = rest?.();
        if (pause) await pause;
      }
  } catch (thrown) {
    // Stored bytes that cannot be read are a flaw of the stream; a disk that cannot be read is not.
    if (!(thrown instanceof HandoverError) || thrown.code !== FaultCode.DATA_LOSS) throw thrown;
    audit.fail(thrown.shortMessage);
  }
  return audit.verdict();
}
