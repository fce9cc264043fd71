import { useEffect, useRef } from 'preact/hooks';

export interface SelectionHeadingProps {
  readonly id: string;
  readonly title: string;
  /** Its programmatic name, shown if it differs from the title. */
  readonly name?: string | undefined;
}

/**
 * The heading of the chosen entry. It receives the focus, so that keyboard and screen reader users continue there.
 */
export function SelectionHeading({ id, title, name = title }: SelectionHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The first entry of a list is also shown before the user chooses one.
    if (document.activeElement?.closest('.choice, main form')) heading.current?.focus();
  }, []);
  return (
    <h2 id={id} ref={heading} tabIndex={-1} class="uri">
      {title}
      {name !== title && (
        <>
          {' '}
          <code>{name}</code>
        </>
      )}
    </h2>
  );
}

/** Moves the focus to the heading of the entry that is already shown. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('.entry h2[tabindex]')?.focus();
}
