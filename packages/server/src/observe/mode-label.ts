/** Beyond this many modes the rest share one label: a client that invents modes must not invent time series. */
const MAX_LABELS = 64;
export const OTHER_MODE = 'other';

/**
 * The label of a mode in metrics. Only names that `isKnown` vouches for (served or registered modes) get their own.
 */
export function createModeLabel(isKnown: (mode: string) => boolean): (mode: string) => string {
  const labels = new Set<string>();
  return (mode) => {
    if (labels.has(mode)) return mode;
    if (labels.size >= MAX_LABELS || !isKnown(mode)) return OTHER_MODE;
    labels.add(mode);
    return mode;
  };
}
