/**
 * The secret of a link. The page takes it out of the address bar before anything else happens. It keeps the secret for
 * this tab alone, so that a reload still works.
 */
import { FAMILIES, type Family } from '@handover/core';

export interface Place {
  readonly family: Family;
  readonly id: string;
}

const key = ({ id }: Place) => `handover.secret.${id}`;

export function placeOf(path: string): Place | undefined {
  const [, place, id = '', ...more] = path.split('/');
  const family = Object.values(FAMILIES).find((one) => one.place === place);
  return family?.idShape.test(id) && more.length === 0 ? { family: family.name, id } : undefined;
}

export function takeSecret(place: Place): string | undefined {
  const { hash, search } = window.location;
  const given = new URLSearchParams(hash.slice(1)).get('k') ?? new URLSearchParams(search).get('k');
  if (hash !== '' || search !== '') window.history.replaceState(null, '', window.location.pathname);
  if (given) keep(place, given);
  return given ?? kept(place);
}

function keep(place: Place, secret: string): void {
  try {
    window.sessionStorage.setItem(key(place), secret);
  } catch {
    // Without storage, the person must open the link again after a reload.
  }
}

function kept(place: Place): string | undefined {
  try {
    return window.sessionStorage.getItem(key(place)) ?? undefined;
  } catch {
    return undefined;
  }
}
