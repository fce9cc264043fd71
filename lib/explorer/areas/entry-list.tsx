import { useState } from 'preact/hooks';

/** Something to choose from a list. */
export interface Entry {
  readonly key: string;
  readonly title: string;
  readonly text?: string | undefined;
}

export interface EntryListProps {
  /** What the list is of. */
  readonly label: string;
  readonly entries: readonly Entry[];
  readonly chosen: string | undefined;
  readonly onChoose: (key: string) => void;
}

const FEWEST_TO_FILTER = 8;

/** More at once make a browser slow, and nobody reads them. */
const MOST_SHOWN = 200;

/** Lists entries, and lets its user find and choose one. */
export function EntryList({ label, entries, chosen, onChoose }: EntryListProps) {
  const [filter, setFilter] = useState('');
  const [most, setMost] = useState(MOST_SHOWN);
  const wanted = filter.trim().toLowerCase();
  const found = entries.filter(({ title, text = '' }) => `${title} ${text}`.toLowerCase().includes(wanted));
  const shown = found.slice(0, most);
  if (entries.length === 0) return <p class="hint">There are none for you.</p>;
  return (
    <>
      {entries.length >= FEWEST_TO_FILTER && (
        <label class="field">
          Find in {label}
          <input type="search" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
        </label>
      )}
      <ul class="entries" aria-label={label}>
        {shown.map(({ key, title, text }) => (
          <li key={key}>
            <button
              type="button"
              aria-current={key === chosen ? 'true' : undefined}
              onClick={() => onChoose(key)}
            >
              <strong>{title}</strong>
              {text !== undefined && <span class="hint">{text}</span>}
            </button>
          </li>
        ))}
      </ul>
      {found.length > shown.length && (
        <p class="hint">
          {shown.length} of {found.length} are shown.{' '}
          <button type="button" onClick={() => setMost(most + MOST_SHOWN)}>
            Show more
          </button>
        </p>
      )}
    </>
  );
}
