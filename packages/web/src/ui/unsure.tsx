/** For a step that the wallet was asked to sign, when the page does not know how that ended. */

import { useState } from 'preact/hooks';
import { hashIn } from '../format/hash-in.js';
import { timeOf } from '../format/time.js';
import { type HandoffRecord, idOf, type Step } from '../model/record.js';
import { usePage } from './page-context.js';

export function Unsure({ record, step }: { readonly record: HandoffRecord; readonly step: Step }) {
  const { signing, review, wallet, outbox } = usePage();
  const asked = outbox.entries.value.find(
    ({ id, stepIds }) => id === idOf(record) && stepIds.includes(step.id),
  );
  const [text, setText] = useState('');
  const [flaw, setFlaw] = useState('');
  const forSession = record.family === 'session_start';
  const field = `claim-${step.id}`;
  const submit = (event: Event) => {
    event.preventDefault();
    const value = text.trim();
    const owner = wallet.account.value ?? record.account;
    const hash = hashIn(value);
    if (forSession ? !/^\d+$/.test(value) || owner === undefined : hash === undefined) {
      setFlaw(
        forSession
          ? 'Connect the wallet that signed, and enter the number of the session.'
          : 'A hash is 0x and 64 hex digits.',
      );
      return;
    }
    setFlaw('');
    const claim = forSession ? { sessionId: value, ...(owner && { owner }) } : { txHash: hash ?? '' };
    void signing.claim(step, claim);
  };
  return (
    <div class="unsure">
      <p>
        {asked === undefined
          ? 'The wallet was asked for this step, perhaps in another browser, and there is no answer yet.'
          : `This browser asked your wallet at ${timeOf(asked.at)} and saw no answer.`}{' '}
        If a prompt is still open, answer it there. Otherwise tell what happened:
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
          {forSession
            ? 'I did: number of the session'
            : 'It was sent, or replaced: hash, or a link that contains it'}
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
