/** For a step that the wallet was asked to sign, when the page does not know how that ended. */

import { isBytes32 } from '@handover/evm';
import { useState } from 'preact/hooks';
import type { HandoffRecord, Step } from '../model/record.js';
import { usePage } from './page-context.js';

export function Unsure({ record, step }: { readonly record: HandoffRecord; readonly step: Step }) {
  const { signing, review, wallet } = usePage();
  const [text, setText] = useState('');
  const [flaw, setFlaw] = useState('');
  const forSession = record.family === 'session_start';
  const field = `claim-${step.id}`;
  const submit = (event: Event) => {
    event.preventDefault();
    const value = text.trim();
    const owner = wallet.account.value ?? record.account;
    if (forSession ? !/^\d+$/.test(value) || owner === undefined : !isBytes32(value)) {
      setFlaw(
        forSession
          ? 'Connect the wallet that signed, and enter the number of the session.'
          : 'A hash is 0x and 64 hex digits.',
      );
      return;
    }
    setFlaw('');
    const claim = forSession
      ? { sessionId: value, ...(owner && { owner }) }
      : { txHash: value.toLowerCase() };
    void signing.claim(step, claim);
  };
  return (
    <div class="unsure">
      <p>
        The wallet was asked for this step, here or in another tab, and there is no answer yet. If a prompt is
        still open, answer it there. Otherwise tell what happened:
      </p>
      <button
        type="button"
        disabled={review.busy.value !== undefined}
        onClick={() => void signing.didNotSign(step)}
      >
        I did not sign
      </button>
      <form onSubmit={submit} noValidate>
        <label for={field}>
          {forSession ? 'I did: number of the session' : 'I did: hash of the transaction'}
        </label>
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
    </div>
  );
}
