const NEGATIVE_ENDINGS = ['rejected', 'failed', 'declined'];

/** False exactly when the action ends in rejected, failed or declined, in any case of letters. */
export function inferOutcomePositive(action: string): boolean {
  const ending = action.toLowerCase();
  return !NEGATIVE_ENDINGS.some((word) => ending.endsWith(word));
}
