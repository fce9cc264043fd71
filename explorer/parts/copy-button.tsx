import { useState } from 'preact/hooks';

/** Copies a string, and confirms it. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: string }) {
  const [outcome, setOutcome] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('Copied.');
    } catch {
      setOutcome('The browser does not allow copying: select the text and copy it yourself.');
    }
  };
  return (
    <span>
      <button type="button" onClick={() => void copy()}>
        {label}
      </button>{' '}
      <span role="status">{outcome}</span>
    </span>
  );
}
