/** A prompt that stays open until the test says how the person answers it. */
import type { Decision, TestWallet } from './test-wallet.js';

export interface HeldPrompt {
  /** Resolves when the prompt is open. */
  readonly isOpen: Promise<void>;
  answer(decision: Decision): void;
}

/** The next prompt of this wallet. Those after it are answered as before. */
export function holdPrompt(wallet: TestWallet): HeldPrompt {
  const before = wallet.decide;
  let opened: () => void = () => undefined;
  let answer: (decision: Decision) => void = () => undefined;
  const isOpen = new Promise<void>((resolve) => {
    opened = resolve;
  });
  const decision = new Promise<Decision>((resolve) => {
    answer = resolve;
  });
  wallet.decide = () => {
    wallet.decide = before;
    opened();
    return decision;
  };
  return { isOpen, answer };
}
