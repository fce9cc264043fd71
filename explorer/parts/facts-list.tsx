import type { ComponentChildren } from 'preact';

/** Shows facts with their names. Absent facts are omitted. */
export function FactsList({ facts }: { readonly facts: Readonly<Record<string, ComponentChildren>> }) {
  const entries = Object.entries(facts).filter(([, fact]) => fact !== undefined && fact !== '');
  return (
    <dl>
      {entries.map(([name, fact]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{fact}</dd>
        </div>
      ))}
    </dl>
  );
}
