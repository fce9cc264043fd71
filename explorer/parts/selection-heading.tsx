import { useEffect, useRef } from 'preact/hooks';

export interface SelectionHeadingProps {
  readonly id: string;
  readonly title: string;
  /** What it is called by programs, shown if it is not the title. */
  readonly name?: string | undefined;
}

/** The heading of what somebody has chosen: who came from the list continues from here, by keyboard and by ear. */
export function SelectionHeading({ id, title, name = title }: SelectionHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The first entry of a list is shown to those who have chosen none.
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

/** Leads to the heading of what is shown already. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('.entry h2[tabindex]')?.focus();
}
