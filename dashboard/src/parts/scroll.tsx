import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * What is wider than the page scrolls in a region of its own, also by the keyboard. An edge is marked while there is more behind it: a
 * number that is cut looks like another one.
 */
export function Scroll({ label, children }: { label: string; children: ComponentChildren }) {
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
  const name = `scroll${isBefore ? ' before' : ''}${isAfter ? ' after' : ''}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus the keyboard could not scroll it
    <section ref={region} class={name} aria-label={label} tabIndex={0} onScroll={look}>
      {children}
    </section>
  );
}
