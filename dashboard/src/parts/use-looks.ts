import { useEffect, useRef, useState } from 'preact/hooks';

const [firstLookMs, lastLookMs] = [2000, 30_000];

/**
 * Looks again while something is pending, also when a look fails: after 2 s, then each time half as long again, at most every 30 s.
 * @param reload the same function while the page is the same
 */
export function useLooks(isPending: boolean, reload: () => Promise<void>): void {
  const wait = useRef(firstLookMs);
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    if (!isPending) {
      wait.current = firstLookMs;
      return;
    }
    const timer = setTimeout(() => void reload().finally(() => setLooks(looks + 1)), wait.current);
    wait.current = Math.min(lastLookMs, wait.current * 1.5);
    return () => clearTimeout(timer);
  }, [looks, isPending, reload]);
}
