import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Unreported } from './unreported.js';

export function Frame({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} – Handover`;
  }, [title]);
  return (
    <>
      <header class="top">
        <div class="page">
          <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
            <rect width="32" height="32" rx="8" />
            <path d="M8 12h11l-3-3m3 3-3 3M24 20H13l3 3m-3-3 3-3" />
          </svg>
          <span>Handover</span>
        </div>
      </header>
      <main class="page">
        <Unreported />
        {children}
      </main>
      <footer class="page quiet">
        This server holds no keys and cannot sign. What you sign goes from your wallet to the network.
      </footer>
    </>
  );
}
