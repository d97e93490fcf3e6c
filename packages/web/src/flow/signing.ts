/**
 * Takes one step from the button to the server's record.
 *
 * S1. Only one step at a time, in order; a second click does nothing.
 * S2. The page makes an ask before it calls the wallet (asking.ts). If the server refuses, another tab was first, and
 *     there is no prompt.
 * S3. The page reads account and chain from the wallet right before the prompt. If one is wrong, there is no prompt.
 * S4. No step is asked for while the outbox holds an answer to an earlier ask of it.
 * S5. The page never concludes by itself that nothing was sent: it tells what the wallet said, and the server's record
 *     says what follows from it.
 */
import { checksummed } from '@handover/evm';
import { ApiError } from '../api/api.js';
import { canAsk, currentStep, isLookedAt, isOpen, wasSent } from '../model/progress.js';
import type { HandoffRecord, Step } from '../model/record.js';
import { sameAddress } from '../wallet/wallet-calls.js';
import { errorText } from '../wallet/wallet-error.js';
import type { Asking, AskOutcome } from './asking.js';
import { endNotice } from './end-notice.js';
import { expectedAccount } from './expected-account.js';
import { Blocked, type Claim, type Family, type Signer } from './family.js';
import type { Outbox } from './outbox.js';
import { entryOf, isUntoldStep } from './outbox-entries.js';
import type { Report } from './outbox-store.js';
import type { Busy, Review } from './review.js';
import type { WalletConnection } from './wallet-connection.js';

export interface Signing {
  sign(step: Step): Promise<boolean>;
  /** Signs one step after the other until one is not sent. */
  signAll(): Promise<void>;
  /** With an ask: that one, of which a hash was told that nobody has seen. */
  didNotSign(step: Step, askId?: string): Promise<void>;
  claim(step: Step, claim: Claim): Promise<void>;
  decline(): Promise<void>;
  finish(): Promise<void>;
}

export interface SigningParts {
  readonly review: Review;
  readonly wallet: WalletConnection;
  readonly family: Family;
  readonly outbox: Outbox;
  readonly asking: Asking;
}

const RECEIPT_WAIT_MS = 1_500;
const MAX_WAITS = 400;

export function createSigning({ review, wallet, family, outbox, asking }: SigningParts): Signing {
  const say = (tone: 'info' | 'error', text: string) => {
    review.notice.value = { tone, text };
  };
  const phase = (stepId: string, name: Busy['phase']) => {
    review.busy.value = { stepId, phase: name };
  };

  /** By the token of the ask that this browser made, else by the secret of the page. */
  const tell = async (step: Step, report: Report, claim?: Claim) => {
    const { value: record } = review.record;
    const entry = record && entryOf(outbox.entries.value, record, step);
    if (entry) await outbox.answered(entry, report, claim);
    else await review.api.post(report.action, report.body);
  };

  /** S3. */
  const signer = async (record: HandoffRecord, step: Step): Promise<Signer> => {
    await wallet.look();
    const provider = wallet.chosen.value?.provider;
    const account = wallet.account.value;
    if (!provider || !account) throw new Blocked('Connect a wallet first.');
    const expected = expectedAccount(record, step);
    if (expected !== undefined && !sameAddress(expected, account))
      throw new Blocked(
        `This must be signed by ${checksummed(expected)}. Choose that account in the wallet.`,
      );
    if (wallet.chainId.value !== record.chainId)
      throw new Blocked('The wallet is on another network. Switch it first.');
    return { provider, account };
  };

  const sayHowItEnded = (outcome: AskOutcome) => {
    review.notice.value = endNotice(
      outcome,
      review.record.value !== undefined && isLookedAt(review.record.value),
    );
  };

  const attempt = async (record: HandoffRecord, step: Step): Promise<boolean> => {
    phase(step.id, 'checking');
    const who = await signer(record, step);
    const prepared = await family.prepare(record, step, who);
    const outcome = await asking.ask({
      record,
      step,
      account: who.account,
      prepared,
      ready: async () => {
        const again = await signer(record, step);
        if (again.account !== who.account) throw new Blocked('The account in the wallet has changed.');
        if (review.isChanged.value) throw new Blocked('What is shown here has changed.');
      },
      tell: (name) => {
        phase(step.id, name);
        if (name === 'wallet') say('info', 'Look at your wallet: it asks you to confirm.');
      },
    });
    sayHowItEnded(outcome);
    return outcome.claim !== undefined && outcome.isTold;
  };

  const exclusively = async (stepId: string, work: () => Promise<boolean>): Promise<boolean> => {
    if (review.busy.value) return false;
    phase(stepId, 'checking');
    review.notice.value = undefined;
    try {
      return await work();
    } catch (thrown) {
      review.notice.value = { tone: 'error', text: refusalText(thrown), isOutage: isOutage(thrown) };
      return false;
    } finally {
      await review.refresh();
      // From here on it tells of the record as it is now.
      const { value: notice } = review.notice;
      const of = review.record.value?.updatedAt;
      if (notice && of !== undefined) review.notice.value = { ...notice, of };
      review.busy.value = undefined;
    }
  };

  const sign: Signing['sign'] = (step) =>
    exclusively(step.id, async () => {
      const { value: record } = review.record;
      const fresh = record?.steps.find((one) => one.id === step.id);
      if (!record || !fresh || !canAsk(record) || !isOpen(record, fresh) || review.isChanged.value)
        return false;
      if (fresh.status !== 'pending' && fresh.status !== 'failed') return false;
      if (isUntoldStep(outbox.entries.value, record, fresh)) return false;
      return attempt(record, fresh);
    });

  const finish = async () => {
    const { value: record } = review.record;
    if (!record?.steps.every((step) => wasSent(step) || step.status === 'skipped')) return;
    await family.finish().catch((thrown: unknown) => {
      // 409: another tab was faster.
      if (!(thrown instanceof ApiError && thrown.status === 409)) throw thrown;
    });
    await review.refresh();
  };

  return {
    sign,
    finish,
    signAll: async () => {
      for (let waits = 0; waits < MAX_WAITS; ) {
        const { value: record } = review.record;
        const step = record && currentStep(record);
        if (!record || !step) break;
        if (isOpen(record, step)) {
          if (step.status === 'requested' || !(await sign(step))) return;
          waits = 0;
          continue;
        }
        waits += 1;
        await new Promise((resolve) => window.setTimeout(resolve, RECEIPT_WAIT_MS));
        await review.refresh();
      }
      await finish().catch((thrown: unknown) => say('error', refusalText(thrown)));
    },
    didNotSign: async (step, askId) => {
      await exclusively(step.id, async () => {
        const report = family.endReport(step, { answer: 'said_not_signed', ...(askId && { askId }) });
        // The outbox holds tokens of asks that wait; this one was answered.
        if (askId) await review.api.post(report.action, report.body);
        else await tell(step, report);
        return true;
      });
    },
    claim: async (step, claim) => {
      await exclusively(step.id, async () => {
        await tell(step, family.claimReport(step, { ...claim, source: 'holder' }), claim);
        return true;
      });
    },
    decline: async () => {
      await exclusively('', async () => {
        await family.declined();
        return true;
      });
    },
  };
}

const isOutage = (thrown: unknown): boolean => thrown instanceof ApiError && thrown.status === 0;

function refusalText(thrown: unknown): string {
  if (thrown instanceof ApiError && thrown.status === 409)
    return `The server did not take it: ${thrown.message}. The page now shows where it stands.`;
  return errorText(thrown);
}
