import { useEffect, useRef, useState } from 'preact/hooks';
import { formatNumber } from '../text/format.ts';

/**
 * Says politely what has arrived on the open page, for those who do not see that it has taken the place of “being read”.
 * @param pending how much is pending now
 * @param words what is said of as many as have arrived
 */
export function Arrivals({ pending, words }: { pending: number; words: (count: string) => string }) {
  const before = useRef(pending);
  const [said, setSaid] = useState('');
  useEffect(() => {
    const arrived = before.current - pending;
    before.current = pending;
    if (arrived > 0) setSaid(words(formatNumber(arrived)));
  }, [pending, words]);
  return (
    <p class="hidden" role="status">
      {said}
    </p>
  );
}
