import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { expectedAccount } from '../flow/expected-account.js';
import { isUntoldStep } from '../flow/outbox-entries.js';
import {
  canAsk,
  currentStep,
  isLookedAt,
  isOpen,
  isOver,
  isUnseen,
  mayHaveOtherPrompt,
  mistypedAsk,
  wasAsked,
  wasSent,
} from '../model/progress.js';
import type { HandoffRecord, Step } from '../model/record.js';
import { PageWarning } from '../transaction/warnings.js';
import { sameAddress } from '../wallet/wallet-calls.js';
import { useHardToProve } from './hard-to-prove.js';
import { OtherHash } from './hash-field.js';
import { usePage } from './page-context.js';
import { ShortBalance } from './short-balance.js';
import { Mistyped, Unseen, Unsure } from './unsure.js';
import { WalletPanel } from './wallet-panel.js';
import { WarningList } from './warning-list.js';

const PHASES = {
  checking: 'Checking…',
  wallet: 'Confirm in your wallet…',
  sending: 'Sending…',
  reporting: 'Telling the server…',
} as const;

/** Why a step cannot be signed on this page. */
export interface Obstacle {
  /** What is missing, in a few words. */
  readonly waitsFor: string;
  readonly text: string;
}

export interface StepActionProps {
  readonly record: HandoffRecord;
  readonly step: Step;
  readonly verb: string;
  readonly blocked?: Obstacle | undefined;
  /** Goes on with the following steps by itself. */
  readonly all?: boolean;
  /** What belongs right above the button. */
  readonly children?: ComponentChildren;
}

type Kind = 'none' | 'unsure' | 'unseen' | 'mistyped' | 'other-hash' | 'sign';

/** What can be done for a step: tell what happened, or sign. */
export function StepAction(props: StepActionProps) {
  const { record, step } = props;
  const kind = useKind(record, step);
  useFocusAt(record, step, kind);
  switch (kind) {
    case 'none':
      return null;
    case 'unsure':
      return <Unsure record={record} step={step} />;
    case 'unseen':
      return <Unseen record={record} step={step} />;
    case 'mistyped':
      return <Mistyped step={step} askId={mistypedAsk(step) ?? ''} />;
    case 'other-hash':
      return <OtherHash record={record} step={step} />;
    case 'sign':
      return <Sign {...props} />;
  }
}

function useKind(record: HandoffRecord, step: Step): Kind {
  const { review, outbox } = usePage();
  if (review.busy.value?.stepId === step.id && !wasSent(step)) return 'sign';
  // What this browser has to tell of it comes first, above all else.
  if (isUntoldStep(outbox.entries.value, record, step)) return 'none';
  if (step.status === 'requested') return 'unsure';
  if (isUnseen(record, step)) return 'unseen';
  if (mistypedAsk(step) !== undefined) return 'mistyped';
  if (step.status === 'submitted' || (isOver(record) && wasAsked(record, step)))
    return isDone(step) ? 'none' : 'other-hash';
  if (canAsk(record) && currentStep(record)?.id === step.id && isOpen(record, step)) return 'sign';
  return maySignAfterAll(record, step) ? 'other-hash' : 'none';
}

/** The focused button disappears when there is something else to do: keep the keyboard at this step. */
function useFocusAt(record: HandoffRecord, { id }: Step, kind: Kind): void {
  const before = useRef(kind);
  useEffect(() => {
    const number = record.steps.findIndex((one) => one.id === id) + 1;
    if (before.current !== kind && before.current !== 'none' && document.activeElement === document.body)
      document.querySelector<HTMLElement>(`#step-${number} h3`)?.focus();
    before.current = kind;
  }, [kind]);
}

/** Who said that nothing was signed may have signed after all, and must be able to tell. */
const maySignAfterAll = (record: HandoffRecord, step: Step): boolean =>
  step.status === 'failed' && mayHaveOtherPrompt(record, step);

const isDone = ({ effect }: Step): boolean => effect === 'done' || effect === 'exceeded';

/** What is to be known right before the prompt. */
function useWarnings(record: HandoffRecord, step: Step): readonly PageWarning[] {
  const isHardToProve = useHardToProve(record);
  return [
    ...(mayHaveOtherPrompt(record, step) ? [PageWarning.OtherPrompt] : []),
    ...sightWarnings(record),
    ...(isHardToProve ? [PageWarning.TokensOnly] : []),
  ];
}

/** That the server does not see the network is known before anything is signed. */
function sightWarnings(record: HandoffRecord): readonly PageWarning[] {
  const { chainSight } = record;
  if (!isLookedAt(record)) return [PageWarning.Unwatched];
  if (chainSight === 'silent') return [PageWarning.Silent];
  return chainSight === 'another_chain' ? [PageWarning.AnotherChain] : [];
}

function Sign({ record, step, verb, blocked, all = false, children }: StepActionProps) {
  const { review, wallet, signing } = usePage();
  const { value: busy } = review.busy;
  const phase = busy?.stepId === step.id ? busy.phase : undefined;
  const flaw = review.isChanged.value
    ? 'What is shown here is not what your agent was shown: it cannot be signed.'
    : blocked?.text;
  if (flaw !== undefined)
    return (
      <p class="notice error" role="note">
        {flaw}
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
      <WarningList warnings={useWarnings(record, step)} />
      <ShortBalance record={record} step={step} />
      <div class="action">
        <button
          type="button"
          class="primary"
          disabled={!ready || (busy !== undefined && !phase)}
          // Not `disabled` while it works: a disabled button loses the focus of the keyboard.
          aria-disabled={phase !== undefined}
          onClick={() => void (all ? signing.signAll() : signing.sign(step))}
        >
          {phase && !canAsk(record)
            ? `${record.closing ? 'Withdrawn' : 'Its time is over'}: refuse it in your wallet`
            : phase
              ? PHASES[phase]
              : step.status === 'failed'
                ? `Try again: ${verb}`
                : verb}
        </button>
      </div>
      {phase === undefined && maySignAfterAll(record, step) && <OtherHash record={record} step={step} />}
    </>
  );
}
