import { CopyButton } from './copy-button.js';

/** Shows a line of code, and copies it. */
export function CodeToCopy({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <>
      <pre class="code" tabIndex={0}>
        {text}
      </pre>
      <CopyButton label={label} text={text} />
    </>
  );
}
