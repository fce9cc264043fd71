import type { ComponentChildren } from 'preact';
import { SelectionHeading } from './selection-heading.js';

export interface EntryViewProps {
  /** The id of its heading. */
  readonly id: string;
  readonly title: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly badges?: ComponentChildren;
  /** The actions on it. */
  readonly children: ComponentChildren;
  /** The outcome; on the right on a wide screen. */
  readonly outcome: ComponentChildren;
}

/** One entry of a list: its description, its actions, and the outcome next to them. */
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
