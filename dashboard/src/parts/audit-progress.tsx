import * as texts from '#texts';
import type { AuditProgress } from '../pages/listing/model.ts';
import { formatNumber, formatTime } from '../text/format.ts';

const words = texts.audit;

/**
 * How far the words of a listing are read for its audit, and until when it takes, if that is planned.
 * @param hasEarlier whether advice of an earlier listing is shown meanwhile
 */
export function Progress({
  of: { words: all, read, nextLookAt },
  hasEarlier,
}: {
  of: AuditProgress;
  hasEarlier: boolean;
}) {
  return (
    <p>
      {all.state === 'known' && read.state === 'known' && (
        <>{words.awaited(formatNumber(all.value - read.value), formatNumber(all.value))} </>
      )}
      {nextLookAt !== null && <>{words.nextLook(formatTime(nextLookAt))} </>}
      {hasEarlier && words.earlierAdvice}
    </p>
  );
}
