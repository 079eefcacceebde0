import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * What is wider than the page scrolls in a region of its own, also by the keyboard. An edge is marked while there is more behind it: a
 * number that is cut looks like another one.
 * @param props.asCards on a narrow page each row of its table is a card, whose figures have the headings of their columns as labels
 */
export function Scroll({
  label,
  asCards = false,
  children,
}: {
  label: string;
  asCards?: boolean;
  children: ComponentChildren;
}) {
  const region = useRef<HTMLElement>(null);
  const [isBefore, setBefore] = useState(false);
  const [isAfter, setAfter] = useState(false);
  const look = () => {
    const { scrollWidth = 0, clientWidth = 0, scrollLeft = 0 } = region.current ?? {};
    // Where it scrolls from the right, what is scrolled is negative.
    const scrolled = Math.abs(scrollLeft);
    setBefore(scrolled > 1);
    setAfter(scrollWidth - clientWidth - scrolled > 1);
  };
  useEffect(() => {
    const observer = new ResizeObserver(look);
    for (const one of [region.current, region.current?.firstElementChild]) if (one) observer.observe(one);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const table = asCards && region.current?.querySelector('table');
    if (!table) return;
    const heads = table.tHead?.rows[0]?.cells;
    for (const { cells } of table.tBodies[0]?.rows ?? [])
      for (const cell of cells) cell.dataset.label = heads?.[cell.cellIndex]?.textContent ?? '';
  });
  const name = `scroll${asCards ? ' as-cards' : ''}${isBefore ? ' before' : ''}${isAfter ? ' after' : ''}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus the keyboard could not scroll it
    <section ref={region} class={name} aria-label={label} tabIndex={0} onScroll={look}>
      {children}
    </section>
  );
}
