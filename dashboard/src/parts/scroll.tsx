import type { ComponentChildren } from 'preact';

/** What is wider than the page scrolls in a region of its own, also by the keyboard. */
export function Scroll({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus the keyboard could not scroll it
    <section class="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
