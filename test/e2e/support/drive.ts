/** How a test moves through a page: by what a person sees. */
import type { Page } from 'playwright-core';

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

export async function connect(page: Page): Promise<void> {
  await button(page, /^Connect /)
    .first()
    .click();
  await page.getByText('Test Wallet, account').waitFor();
}

/** Waits for the state of the n-th step, counted from 1. */
export async function stepIs(page: Page, number: number, status: string, timeout = 30_000): Promise<void> {
  await page.locator(`#step-${number} [data-status="${status}"]`).waitFor({ timeout });
}
