/**
 * Who speaks in a fixture, as static tokens in a tenant of the fixture's own: many fixtures can share a server without
 * sharing a registry or an agent. A fixture cannot tell this from dev mode, where a bearer is that agent.
 */
import type { Fixture, Step } from '../fixture-types.js';

/** Registers what a fixture leaves to nobody in particular. */
export const ADMIN = 'admin';
const UNKNOWN = 'not-a-token';

export class Agents {
  readonly tokens: readonly Readonly<Record<string, unknown>>[];
  readonly #bearers: ReadonlyMap<string, string>;

  constructor(tenant: string, fixture: Fixture) {
    const given = fixture.server?.tokens ?? [];
    const names = given.length > 0 ? given.map(({ token }) => token) : namesIn(fixture);
    this.#bearers = new Map(names.map((name, index) => [name, `${tenant}-${index}`]));
    const items =
      given.length > 0 ? given : names.map((name) => ({ sender: name, can_manage_mode_registry: true }));
    this.tokens = items.map((item, index) => ({ ...item, token: `${tenant}-${index}`, tenant }));
  }

  /** What is sent as the credential; undefined: none. */
  bearer(credential: string | null): string | undefined {
    return credential === null ? undefined : (this.#bearers.get(credential) ?? UNKNOWN);
  }
}

function namesIn({ initiator, start, setup = [], messages }: Fixture): readonly string[] {
  const names = [...setup, ...messages].flatMap(namesInStep);
  return [...new Set([ADMIN, initiator, ...(start?.credential ? [start.credential] : []), ...names])];
}

function namesInStep(step: Step): readonly string[] {
  const said =
    'register' in step ? step.register : 'get' in step ? step.get : 'sender' in step ? step : undefined;
  return [said?.sender, said?.credential].filter((name) => typeof name === 'string');
}
