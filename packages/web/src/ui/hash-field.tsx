/** Takes the hash of a transaction, or the number of a session, from whoever looked it up in a wallet. */
import { useState } from 'preact/hooks';
import { hashIn } from '../format/hash-in.js';
import type { HandoffRecord, Step } from '../model/record.js';
import { usePage } from './page-context.js';

export const OTHER_HASH = 'It was replaced, or I have another hash';
const CONTENT = 'the hash, or a link that contains it';

interface HashFieldProps {
  readonly record: HandoffRecord;
  readonly step: Step;
  /** What happened, in the words of whoever fills it in. */
  readonly says: string;
}

export function HashField({ record, step, says }: HashFieldProps) {
  const { signing, review, wallet } = usePage();
  const [text, setText] = useState('');
  const [flaw, setFlaw] = useState('');
  const isSession = record.family === 'session_start';
  const field = `claim-${step.id}`;
  const submit = (event: Event) => {
    event.preventDefault();
    const value = text.trim();
    const owner = wallet.account.value ?? record.account ?? record.expectedSigner;
    const hash = hashIn(value);
    if (isSession ? !/^\d{1,78}$/.test(value) || owner === undefined : hash === undefined) {
      setFlaw(
        isSession
          ? 'Connect the wallet that signed, and enter the number of the session.'
          : 'A hash is 0x and 64 hex digits.',
      );
      return;
    }
    setFlaw('');
    setText('');
    const claim = isSession ? { sessionId: value, ...(owner && { owner }) } : { txHash: hash ?? '' };
    void signing.claim(step, claim);
  };
  return (
    <form onSubmit={submit} noValidate>
      <label for={field}>{isSession ? 'It was started: number of the session' : `${says}: ${CONTENT}`}</label>
      <div class="row">
        <input
          id={field}
          value={text}
          autocomplete="off"
          spellcheck={false}
          aria-invalid={flaw !== ''}
          aria-describedby={flaw ? `${field}-flaw` : undefined}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" disabled={review.busy.value !== undefined}>
          Report it
        </button>
      </div>
      {flaw && (
        <p class="flaw" id={`${field}-flaw`} role="alert">
          {flaw}
        </p>
      )}
    </form>
  );
}

function otherWords({ family }: HandoffRecord, { txHash }: Step): string {
  if (family === 'session_start') return 'It was started under another number';
  return txHash === undefined ? 'It was signed all the same' : OTHER_HASH;
}

/** The same where it is seldom needed: what was sent, or is over, may have been replaced. */
export function OtherHash({ record, step }: { readonly record: HandoffRecord; readonly step: Step }) {
  return (
    <details class="raw">
      <summary>{otherWords(record, step)}</summary>
      <HashField record={record} step={step} says="Another hash" />
    </details>
  );
}
