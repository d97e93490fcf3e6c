/**
 * Takes one step from the button to the server's record.
 *
 * S1. Only one step at a time, in order; a second click does nothing.
 * S2. The page makes an ask before it calls the wallet. If the server refuses, another tab was first, and there is no
 *     prompt.
 * S3. The page reads account and chain from the wallet right before the prompt. If one is wrong, there is no prompt.
 * S4. How an ask ended goes through the outbox, which keeps it until the server has it.
 * S5. The page never concludes by itself that nothing was sent: it tells what the wallet said, and the server's record
 *     says what follows from it.
 */
import { ApiError } from '../api/api.js';
import { currentStep, isOpen, wasSent } from '../model/progress.js';
import { idOf, type Step } from '../model/record.js';
import { answerOf } from '../wallet/answer-of.js';
import { sameAddress } from '../wallet/wallet-calls.js';
import { errorText } from '../wallet/wallet-error.js';
import { expectedAccount } from './expected-account.js';
import { type AskEnd, type AskGrant, Blocked, type Claim, type Family, type Signer } from './family.js';
import type { Outbox } from './outbox.js';
import type { Report } from './outbox-store.js';
import type { Busy, Review } from './review.js';
import type { WalletConnection } from './wallet-connection.js';

export interface Signing {
  sign(step: Step): Promise<boolean>;
  /** Signs one step after the other until one is not sent. */
  signAll(): Promise<void>;
  didNotSign(step: Step): Promise<void>;
  claim(step: Step, claim: Claim): Promise<void>;
  decline(): Promise<void>;
  finish(): Promise<void>;
}

const RECEIPT_WAIT_MS = 1_500;
const MAX_WAITS = 400;

export function createSigning(
  review: Review,
  wallet: WalletConnection,
  family: Family,
  outbox: Outbox,
): Signing {
  const say = (tone: 'info' | 'error', text: string) => {
    review.notice.value = { tone, text };
  };
  const phase = (stepId: string, name: Busy['phase']) => {
    review.busy.value = { stepId, phase: name };
  };
  const id = () => (review.record.value ? idOf(review.record.value) : '');

  /** By the token of the ask that this browser made, else by the secret of the page. */
  const tell = async (step: Step, report: Report, claim?: Claim) => {
    const entry = outbox.entries.value.find(
      ({ id: of, stepIds }) => of === id() && stepIds.includes(step.id),
    );
    if (entry) await outbox.answered(entry.askId, report, claim);
    else await review.api.post(report.action, report.body);
  };

  /** S3. */
  const signer = async (step: Step): Promise<Signer> => {
    await wallet.look();
    const provider = wallet.chosen.value?.provider;
    const account = wallet.account.value;
    const { value: record } = review.record;
    if (!provider || !account || !record) throw new Blocked('Connect a wallet first.');
    const expected = expectedAccount(record, step);
    if (expected !== undefined && !sameAddress(expected, account))
      throw new Blocked(`This must be signed by ${expected}. Choose that account in the wallet.`);
    if (wallet.chainId.value !== record.chainId)
      throw new Blocked('The wallet is on another network. Switch it first.');
    return { provider, account };
  };

  /** What the wallet said, in the server's words. */
  const settle = async (step: Step, grant: AskGrant, thrown: unknown) => {
    const text = errorText(thrown);
    const end: AskEnd = {
      ...(thrown instanceof Blocked ? { answer: 'not_opened' } : answerOf(thrown)),
      error: text,
    };
    await outbox.answered(grant.id, family.endReport(step, end));
    say('error', end.answer === 'unclear' ? `${text} It is not known whether this was sent.` : text);
  };

  const attempt = async (step: Step): Promise<boolean> => {
    phase(step.id, 'checking');
    const who = await signer(step);
    const prepared = await family.prepare(step, who);
    const grant = await asked(step, {
      account: who.account,
      clientAsk: crypto.randomUUID(),
      ...(prepared.session && { session: prepared.session }),
    });
    try {
      const again = await signer(step);
      if (again.account !== who.account) throw new Blocked('The account in the wallet has changed.');
      phase(step.id, 'wallet');
      say('info', 'Look at your wallet: it asks you to confirm.');
      const claim = await prepared.ask((name) => phase(step.id, name));
      phase(step.id, 'reporting');
      await outbox.answered(grant.id, family.claimReport(step, claim), claim);
      say('info', 'Sent. The server now checks it on the chain.');
      return true;
    } catch (thrown) {
      await settle(step, grant, thrown);
      return false;
    }
  };

  /** The entry is written before the wallet is called. An answer that got lost is asked for again: it is the same ask. */
  const asked = async (step: Step, ask: Parameters<Family['ask']>[1]): Promise<AskGrant> => {
    const grant = await family.ask(step, ask).catch((thrown: unknown) => {
      if (thrown instanceof ApiError && thrown.status === 0) return family.ask(step, ask);
      throw thrown;
    });
    outbox.asking({
      path: review.api.base,
      id: id(),
      stepIds: grant.stepIds,
      askId: grant.id,
      token: grant.token,
      account: ask.account,
      chainId: review.record.value?.chainId ?? 0,
      at: Date.now(),
      unanswered: family.endReport(step, { answer: 'unclear' }),
    });
    return grant;
  };

  const exclusively = async (stepId: string, work: () => Promise<boolean>): Promise<boolean> => {
    if (review.busy.value) return false;
    phase(stepId, 'checking');
    review.notice.value = undefined;
    try {
      return await work();
    } catch (thrown) {
      say('error', refusalText(thrown));
      return false;
    } finally {
      await review.refresh();
      review.busy.value = undefined;
    }
  };

  const sign: Signing['sign'] = (step) =>
    exclusively(step.id, async () => {
      const { value: record } = review.record;
      const fresh = record?.steps.find((one) => one.id === step.id);
      if (
        !record ||
        !fresh ||
        !isOpen(record, fresh) ||
        (fresh.status !== 'pending' && fresh.status !== 'failed')
      )
        return false;
      return attempt(fresh);
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
    didNotSign: async (step) => {
      await exclusively(step.id, async () => {
        await tell(step, family.endReport(step, { answer: 'said_not_signed' }));
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

function refusalText(thrown: unknown): string {
  if (thrown instanceof ApiError && thrown.status === 409)
    return 'This step was already taken, perhaps in another tab. The page now shows where it stands.';
  return errorText(thrown);
}
