/** Shows a value as JSON; by keyboard it is scrolled. */
export function JsonView({ value }: { readonly value: unknown }) {
  return (
    <pre class="code" tabIndex={0}>
      {JSON.stringify(value, undefined, 2)}
    </pre>
  );
}
