import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

export interface DisclosureProps {
  readonly title: string;
  /** Shows what is inside: nothing of it is there before somebody opens it. */
  readonly children: () => ComponentChildren;
}

/** What somebody opens to see more. */
export function Disclosure({ title, children }: DisclosureProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children()}
    </details>
  );
}
