import { useState } from 'preact/hooks';

/** Nothing where the browser does not let a page copy; the text can be selected there. */
export function CopyButton({
  text,
  what,
}: {
  readonly text: string;
  /** Where more than the line beside it is copied. */
  readonly what?: string;
}) {
  const [isCopied, setCopied] = useState(false);
  const { clipboard } = window.navigator;
  if (!clipboard) return null;
  const copy = () => {
    clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <button type="button" onClick={copy}>
      {isCopied ? 'Copied' : what === undefined ? 'Copy' : `Copy ${what}`}
    </button>
  );
}
