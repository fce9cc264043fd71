import { useEffect, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';

/** The heading of what somebody has chosen: who came from the list continues from here, by keyboard and by ear. */
export function Arrival({ id, children }: { readonly id: string; readonly children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Nobody has chosen anything when the page has just been opened.
    if (document.activeElement !== document.body) heading.current?.focus();
  }, []);
  return (
    <h2 id={id} ref={heading} tabIndex={-1} class="uri">
      {children}
    </h2>
  );
}
