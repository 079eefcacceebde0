import { toPrintableLine } from '@shelfwise/runtime/log/printable';

export type Flag = { code: string; axis: string; severity: string; title: string; fix: string };

/** What to improve: the finding, then what to do about it. */
export function formatFlags(flags: readonly Flag[]): string {
  if (flags.length === 0) return 'Nothing to improve was found.';
  return flags
    .map(({ severity, axis, title, fix }) =>
      [`${severity}, ${axis}: ${title}`, `  ${fix}`].map(toPrintableLine).join('\n'),
    )
    .join('\n');
}
