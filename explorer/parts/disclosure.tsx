import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

export interface DisclosureProps {
  readonly title: string;
  /** Renders the content, which does not exist before it is opened. */
  readonly children: () => ComponentChildren;
}

/** A section that users can expand. */
export function Disclosure({ title, children }: DisclosureProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children()}
    </details>
  );
}
