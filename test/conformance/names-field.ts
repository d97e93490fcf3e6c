import { expect } from 'vitest';

/** The whole name of the field stands in the text of the refusal: mode_version is not found in a_mode_version. */
export function expectNamed(message: string, field: string | undefined, what: string): void {
  if (field !== undefined) expect(message.split(/[^a-z_]+/), `${what}: ${message}`).toContain(field);
}
