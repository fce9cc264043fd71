/** Shows scopes with a label. */
export function Scopes({ label, scopes }: { readonly label: string; readonly scopes: readonly string[] }) {
  return (
    <p>
      {label}:{' '}
      {scopes.map((scope) => (
        <code key={scope} class="scope">
          {scope}
        </code>
      ))}
    </p>
  );
}
