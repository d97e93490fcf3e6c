/**
 * Takes one step from the button to the server's record.
 *
 * S1. Only one step at a time, in order; a second click does nothing.
 * S2. The page reports `requested` before it asks the wallet. If the server refuses, another tab was first, and there
 *     is no prompt.
 * S3. The page reads account and chain from the wallet right before the prompt. If one is wrong, there is no prompt.
 * S4. A claim is kept until the server has it.
 * S5. A step is reported as failed only if it certainly did not happen: a check before the prompt failed, the wallet
 *     gave an error with a code, or the node refused. Else it stays `requested`, and the person says what happened.
 */
import { ApiError } from '../api/api.js';
import { currentStep, isOpen, wasSent } from '../model/progress.js';
import { idOf, type Step } from '../model/record.js';
import { RpcUnclear } from '../session/public-rpc.js';
import { sameAddress } from '../wallet/wallet-calls.js';
import { errorCode, errorText } from '../wallet/wallet-error.js';
import { expectedAccount } from './expected-account.js';
import { Blocked, type Claim, type Family, type Signer } from './family.js';
import { dropClaim, keepClaim, keptClaim } from './pending-claims.js';
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
  /** After a load: reports the claims that an earlier page could not report. */
  resume(): Promise<void>;
}

const RETRY_MS = [0, 500, 1_500, 3_000, 5_000];
const RECEIPT_WAIT_MS = 1_500;
const MAX_WAITS = 400;

export function createSigning(review: Review, wallet: WalletConnection, family: Family): Signing {
  const say = (tone: 'info' | 'error', text: string) => {
    review.notice.value = { tone, text };
  };
  const phase = (stepId: string, name: Busy['phase']) => {
    review.busy.value = { stepId, phase: name };
  };
  const id = () => (review.record.value ? idOf(review.record.value) : '');

  const report = async (step: Step, claim: Claim) => {
    keepClaim(id(), step.id, claim);
    await patiently(() => family.submitted(step, claim));
    dropClaim(id(), step.id);
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

  const settle = async (step: Step, thrown: unknown) => {
    if (
      thrown instanceof RpcUnclear ||
      (errorCode(thrown) === undefined && !(thrown instanceof Blocked) && !isRefusal(thrown))
    ) {
      say('error', `${errorText(thrown)} It is not known whether this step happened; see below.`);
      return;
    }
    const text = errorText(thrown);
    await family.failed(step, text).catch(() => undefined);
    say('error', `${text} Nothing was sent. You can try again.`);
  };

  const attempt = async (step: Step): Promise<boolean> => {
    phase(step.id, 'checking');
    const who = await signer(step);
    const prepared = await family.prepare(step, who);
    await family.requested(step, who.account);
    try {
      const again = await signer(step);
      if (again.account !== who.account) throw new Blocked('The account in the wallet has changed.');
      phase(step.id, 'wallet');
      say('info', 'Look at your wallet: it asks you to confirm.');
      const claim = await prepared.ask((name) => phase(step.id, name));
      phase(step.id, 'reporting');
      await report(step, claim);
      say('info', 'Sent. The server now checks it on the chain.');
      return true;
    } catch (thrown) {
      await settle(step, thrown);
      return false;
    }
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
        await family.failed(step, 'The person says that nothing was signed.');
        dropClaim(id(), step.id);
        return true;
      });
    },
    claim: async (step, claim) => {
      await exclusively(step.id, async () => {
        await report(step, claim);
        return true;
      });
    },
    decline: async () => {
      await exclusively('', async () => {
        await family.declined();
        return true;
      });
    },
    resume: async () => {
      for (const step of review.record.value?.steps ?? []) {
        const claim = step.status === 'requested' ? keptClaim(id(), step.id) : undefined;
        if (!claim || (claim.unsure && !(await family.happened?.(claim).catch(() => false)))) continue;
        await exclusively(step.id, async () => {
          await report(step, claim);
          return true;
        });
      }
      await finish().catch(() => undefined);
    },
  };
}

const isRefusal = (thrown: unknown): boolean => thrown instanceof Error && thrown.name === 'RpcRefused';

function refusalText(thrown: unknown): string {
  if (thrown instanceof ApiError && thrown.status === 409)
    return 'This step was already taken, perhaps in another tab. The page now shows where it stands.';
  return errorText(thrown);
}

/** The claim must reach the server: tries again during a short outage, but not after a refusal. */
async function patiently(post: () => Promise<void>): Promise<void> {
  let last: unknown;
  for (const wait of RETRY_MS) {
    await new Promise((resolve) => window.setTimeout(resolve, wait));
    try {
      return await post();
    } catch (thrown) {
      last = thrown;
      if (thrown instanceof ApiError && thrown.status >= 400 && thrown.status < 500 && thrown.status !== 429)
        throw thrown;
    }
  }
  throw last;
}
