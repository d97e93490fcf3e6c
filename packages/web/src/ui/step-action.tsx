import type { ComponentChildren } from 'preact';
import { expectedAccount } from '../flow/expected-account.js';
import { currentStep, isOpen, isOver } from '../model/progress.js';
import { type HandoffRecord, idOf, type Step } from '../model/record.js';
import { sameAddress } from '../wallet/wallet-calls.js';
import { usePage } from './page-context.js';
import { Unsure } from './unsure.js';
import { WalletPanel } from './wallet-panel.js';

const PHASES = {
  checking: 'Checking…',
  wallet: 'Confirm in your wallet…',
  sending: 'Sending…',
  reporting: 'Telling the server…',
} as const;

export function StepAction({
  record,
  step,
  verb,
  blocked,
  all = false,
  children,
}: {
  readonly record: HandoffRecord;
  readonly step: Step;
  readonly verb: string;
  /** Why this step cannot be signed at all. */
  readonly blocked?: string | undefined;
  /** Goes on with the following steps by itself. */
  readonly all?: boolean;
  /** What belongs right above the button. */
  readonly children?: ComponentChildren;
}) {
  const { review, wallet, signing, outbox } = usePage();
  const { value: busy } = review.busy;
  if (isOver(record) || currentStep(record)?.id !== step.id) return null;
  const phase = busy?.stepId === step.id ? busy.phase : undefined;
  // What this browser has to tell of it comes first.
  const isUntold = outbox.entries.value.some(
    ({ state, stepIds, id }) => state === 'answered' && id === idOf(record) && stepIds.includes(step.id),
  );
  if (isUntold && !phase) return null;
  if (step.status === 'requested' && !phase) return <Unsure record={record} step={step} />;
  if (!isOpen(record, step) && !phase) return null;
  const differs = review.digest.value !== undefined && review.digest.value !== record.digest;
  if (differs)
    return (
      <p class="notice error" role="alert">
        What is shown here is not what your agent was shown: it cannot be signed.
      </p>
    );
  if (blocked !== undefined)
    return (
      <p class="notice error" role="note">
        {blocked}
      </p>
    );
  const account = wallet.account.value;
  const expected = expectedAccount(record, step);
  const ready =
    account !== undefined &&
    wallet.chainId.value === record.chainId &&
    (expected === undefined || sameAddress(expected, account));
  return (
    <>
      <WalletPanel record={record} />
      {children}
      <div class="action">
        <button
          type="button"
          class="primary"
          disabled={!ready || (busy !== undefined && !phase)}
          // Not `disabled` while it works: a disabled button loses the focus of the keyboard.
          aria-disabled={phase !== undefined}
          onClick={() => void (all ? signing.signAll() : signing.sign(step))}
        >
          {phase ? PHASES[phase] : step.status === 'failed' ? `Try again: ${verb}` : verb}
        </button>
      </div>
    </>
  );
}
