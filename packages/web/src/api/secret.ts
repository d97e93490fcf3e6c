/**
 * The secret of a link: taken out of the address bar before anything else happens, kept for this tab alone so that a
 * reload still works, and gone with the tab.
 */
export interface Place {
  readonly family: 'operations' | 'bundle-deploy' | 'session-start';
  readonly id: string;
}

const PATH = /^\/(operations|bundle-deploy|session-start)\/([A-Za-z0-9_-]+)$/;
const key = ({ id }: Place) => `handover.secret.${id}`;

export function placeOf(path: string): Place | undefined {
  const [, family, id] = PATH.exec(path) ?? [];
  if (!family || !id) return undefined;
  return { family: family as Place['family'], id };
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
    // Without storage a reload asks for the link again, no more.
  }
}

function kept(place: Place): string | undefined {
  try {
    return window.sessionStorage.getItem(key(place)) ?? undefined;
  } catch {
    return undefined;
  }
}
