import { useEffect, useRef, useState } from 'preact/hooks';

/** A list entry. */
export interface Entry {
  readonly key: string;
  /** Its display name, or its name if it has no title. */
  readonly title: string;
  /** Its name for programs. */
  readonly name?: string | undefined;
  readonly text?: string | undefined;
}

/** Entries of one kind. */
export interface EntryGroup {
  /** The kind of entries, such as `tools`. */
  readonly label: string;
  readonly entries: readonly Entry[];
  /** Whether they are still being fetched. @default false */
  readonly isListing?: boolean;
}

export interface EntryListProps {
  readonly groups: readonly EntryGroup[];
  readonly chosen: string | undefined;
  readonly onChoose: (key: string) => void;
}

/** The number of entries shown initially. More would slow the browser down. */
const MOST_SHOWN = 200;

/** Lists entries, which the user can filter and choose with the mouse, or with `/`, the arrow keys and Enter. */
export function EntryList({ groups, chosen, onChoose }: EntryListProps) {
  const [filter, setFilter] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  useShortcut(search);
  const found = groups.map((group) => ({ ...group, entries: filterEntries(group.entries, filter) }));
  const chooseFirst = () => {
    const first = found.flatMap(({ entries }) => entries)[0];
    if (first !== undefined) onChoose(first.key);
  };
  return (
    <div ref={list} onKeyDown={(event) => moveFocus(event, list.current)}>
      <input
        ref={search}
        type="search"
        value={filter}
        placeholder="Filter"
        title="Press / to filter"
        aria-label={`Filter ${groups[0]?.label ?? ''}`}
        aria-keyshortcuts="/"
        onInput={(event) => setFilter(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') chooseFirst();
          if (event.key === 'Escape') setFilter('');
        }}
      />
      <div class="scroll">
        {found.map((group) => (
          <Group
            key={group.label}
            group={group}
            isFiltered={filter !== ''}
            hasHeading={groups.length > 1}
            chosen={chosen}
            onChoose={onChoose}
          />
        ))}
      </div>
    </div>
  );
}

interface GroupProps {
  readonly group: EntryGroup;
  readonly isFiltered: boolean;
  readonly hasHeading: boolean;
  readonly chosen: string | undefined;
  readonly onChoose: (key: string) => void;
}

function Group({
  group: { label, entries, isListing },
  isFiltered,
  hasHeading,
  chosen,
  onChoose,
}: GroupProps) {
  const [most, setMost] = useState(MOST_SHOWN);
  const shown = entries.slice(0, most);
  return (
    <>
      {hasHeading && <h2 class="group">{label}</h2>}
      {entries.length === 0 && <p class="hint">{describeNone(isListing === true, isFiltered)}</p>}
      <ul class="entries" aria-label={label}>
        {shown.map((entry) => (
          <li key={entry.key}>
            <EntryButton entry={entry} isChosen={entry.key === chosen} onChoose={onChoose} />
          </li>
        ))}
      </ul>
      {entries.length > shown.length && (
        <p class="hint">
          {shown.length} of {entries.length} are shown.{' '}
          <button type="button" class="small" onClick={() => setMost(most + MOST_SHOWN)}>
            Show more
          </button>
        </p>
      )}
    </>
  );
}

interface EntryButtonProps {
  readonly entry: Entry;
  readonly isChosen: boolean;
  readonly onChoose: (key: string) => void;
}

function EntryButton({ entry: { key, title, name = title, text }, isChosen, onChoose }: EntryButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isChosen) button.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <button
      ref={button}
      type="button"
      aria-current={isChosen ? 'true' : undefined}
      onClick={() => onChoose(key)}
    >
      <span class="names">
        <strong>{title}</strong>
        {name !== title && <code>{name}</code>}
      </span>
      {text !== undefined && <span class="hint">{text}</span>}
    </button>
  );
}

function describeNone(isListing: boolean, isFiltered: boolean): string {
  if (isListing) return 'Loading…';
  return isFiltered ? 'Nothing matches the filter.' : 'None are available to you.';
}

function filterEntries(entries: readonly Entry[], filter: string): readonly Entry[] {
  const wanted = filter.trim().toLowerCase();
  if (wanted === '') return entries;
  return entries.filter(({ title, name = '', text = '' }) =>
    `${title} ${name} ${text}`.toLowerCase().includes(wanted),
  );
}

/** Focuses the filter with `/`, unless the focus is in a field. */
function useShortcut(search: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      event.preventDefault();
      search.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
}

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => at - 1,
  Home: () => 0,
  End: (_at, last) => last,
};

/** Moves the focus through the list with the arrow keys, and from the first entry to the filter. */
function moveFocus(event: KeyboardEvent, list: HTMLElement | null): void {
  const buttons = [...(list?.querySelectorAll<HTMLElement>('.entries button') ?? [])];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  const step = STEPS[event.key];
  if (step === undefined || (at === -1 && event.key !== 'ArrowDown')) return;
  event.preventDefault();
  const next = step(at, buttons.length - 1);
  (next < 0 ? list?.querySelector('input') : buttons[next])?.focus();
}
