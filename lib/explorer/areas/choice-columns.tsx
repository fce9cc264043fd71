import type { ComponentChildren } from 'preact';
import { EntryList, type Entry } from './entry-list.js';

export interface ChoiceColumnsProps<Item> {
  /** What the list is of. */
  readonly label: string;
  /** What its user is to do with it. */
  readonly invitation: string;
  readonly items: readonly Item[];
  readonly describe: (item: Item) => Entry;
  readonly chosen: string | undefined;
  readonly onChoose: (key: string) => void;
  /** Shows what is chosen; its key is that of the entry, so that another choice begins from the start. */
  readonly show: (item: Item) => ComponentChildren;
}

/** A list to choose from, and beside it what is chosen. */
export function ChoiceColumns<Item>(props: ChoiceColumnsProps<Item>) {
  const { label, invitation, items, describe, chosen, onChoose, show } = props;
  const item = items.find((one) => describe(one).key === chosen);
  return (
    <div class="columns">
      <section aria-label={invitation}>
        <EntryList label={label} entries={items.map(describe)} chosen={chosen} onChoose={onChoose} />
      </section>
      {item !== undefined && show(item)}
    </div>
  );
}
