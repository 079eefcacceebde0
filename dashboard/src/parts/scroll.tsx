import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * What is wider than the page scrolls in a region of its own, also by the keyboard. Its edge is marked while there is more: a number
 * that is cut looks like another one.
 */
export function Scroll({ label, children }: { label: string; children: ComponentChildren }) {
  const region = useRef<HTMLElement>(null);
  const [hasMore, setHasMore] = useState(false);
  const look = () => {
    const { scrollWidth = 0, clientWidth = 0, scrollLeft = 0 } = region.current ?? {};
    // Where it scrolls from the right, what is scrolled is negative.
    setHasMore(scrollWidth - clientWidth - Math.abs(scrollLeft) > 1);
  };
  useEffect(() => {
    const observer = new ResizeObserver(look);
    for (const one of [region.current, region.current?.firstElementChild]) if (one) observer.observe(one);
    return () => observer.disconnect();
  }, []);
  const name = hasMore ? 'scroll more' : 'scroll';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus the keyboard could not scroll it
    <section ref={region} class={name} aria-label={label} tabIndex={0} onScroll={look}>
      {children}
    </section>
  );
}
