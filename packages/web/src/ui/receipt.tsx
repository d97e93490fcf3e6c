/** What the server has signed for, to keep: the very text that `handover verify` takes. */
import { canonicalJson, type Json } from '@handover/core';
import { useEffect, useState } from 'preact/hooks';
import { type HandoffRecord, idOf } from '../model/record.js';
import { CopyButton } from './copy-button.js';
import { Raw } from './raw.js';

export function Receipt({ record }: { readonly record: HandoffRecord }) {
  const { receipt } = record;
  if (receipt === undefined) return null;
  const text = `${canonicalJson(receipt as unknown as Json)}\n`;
  return (
    <section class="receipt" aria-label="Receipt">
      <Raw title="The server's receipt" value={receipt} />
      <p class="row keep">
        <Save text={text} name={`${idOf(record)}.receipt.json`} />
        <CopyButton text={text} what="receipt" />
      </p>
    </section>
  );
}

function Save({ text, name }: { readonly text: string; readonly name: string }) {
  const [url, setUrl] = useState<string | undefined>(undefined);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [text]);
  return url === undefined ? null : (
    <a href={url} download={name}>
      Save receipt
    </a>
  );
}
