import type { ComponentChildren } from 'preact';
import { SelectionHeading } from './selection-heading.js';

export interface EntryViewProps {
  /** The id of its heading. */
  readonly id: string;
  readonly title: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly badges?: ComponentChildren;
  /** What can be done with it. */
  readonly children: ComponentChildren;
  /** What came of it; on a wide screen it stands at the right. */
  readonly outcome: ComponentChildren;
}

/** One entry of a list: what it is, what can be done with it, and beside that what came of it. */
export function EntryView({ id, title, name, description, badges, children, outcome }: EntryViewProps) {
  return (
    <section class="entry" aria-labelledby={id}>
      <div class="about">
        <SelectionHeading id={id} title={title} name={name} />
        {badges}
        {description !== undefined && <p class="prose">{description}</p>}
        {children}
      </div>
      <div class="outcome">{outcome}</div>
    </section>
  );
}
