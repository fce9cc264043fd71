import type { ComponentChildren } from 'preact';
import { focusHeading } from '../parts/selection-heading.js';
import { EntryList, type EntryGroup } from './entry-list.js';

export interface ChoiceColumnsProps {
  /** The accessible name of the list. */
  readonly invitation: string;
  readonly groups: readonly EntryGroup[];
  readonly chosen: string | undefined;
  readonly onChoose: (key: string) => void;
  /** Renders the entry with a key, or nothing if there is none. */
  readonly show: (key: string) => ComponentChildren;
  /** The content above the list. */
  readonly children?: ComponentChildren;
}

/** A list, and next to it the chosen entry, by default the first one. */
export function ChoiceColumns({ invitation, groups, chosen, onChoose, show, children }: ChoiceColumnsProps) {
  const key = chosen ?? groups.flatMap(({ entries }) => entries)[0]?.key;
  const isListing = groups.some((group) => group.isListing === true);
  const choose = (chosenNow: string) => {
    // An entry that is already shown is not rerendered, and would not receive the focus.
    if (chosenNow === key) focusHeading();
    onChoose(chosenNow);
  };
  const shown = key === undefined ? null : show(key);
  return (
    <div class="columns">
      <section class="choice" aria-label={invitation}>
        {children}
        <EntryList groups={groups} chosen={key} onChoose={choose} />
      </section>
      {shown ?? (chosen !== undefined && !isListing && <p class="hint">There is no “{chosen}” for you.</p>)}
    </div>
  );
}
