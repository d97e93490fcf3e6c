import type { Gone } from '../flow/review.js';
import { Frame } from './frame.js';
import { Icon } from './icon.js';
import type { IconName } from './icon-paths.js';

const WORDS: Readonly<Record<Gone, readonly [icon: IconName, title: string, text: string]>> = {
  'no-secret': [
    'link',
    'Open the full link',
    'This address is only a part of it. Open the link that your agent gave you, unchanged, up to its last character.',
  ],
  'not-found': [
    'link',
    'Nothing here',
    'There is no such request, or this link is not the one that belongs to it. Ask your agent for a new one.',
  ],
  expired: [
    'wait',
    'This request has expired',
    'As far as this server knows, nothing was sent. It can no longer be read or signed here; if it is still wanted, ask your agent for a new one.',
  ],
  unreachable: [
    'wait',
    'The server cannot be reached',
    'This page tries again by itself. Nothing was lost: the server keeps what it was told.',
  ],
  busy: ['wait', 'Too many requests', 'Wait a minute, then reload this page.'],
};

export function GonePage({ why }: { readonly why: Gone }) {
  const [icon, title, text] = WORDS[why];
  return (
    <Frame title={title}>
      <section class="empty" data-gone={why}>
        <Icon name={icon} />
        <h1>{title}</h1>
        <p>{text}</p>
      </section>
    </Frame>
  );
}
