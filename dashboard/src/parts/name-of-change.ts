import * as texts from '#texts';
import { isolated } from '../text/format.ts';
import type { ChangedListing } from '../timeline.ts';

/** What changed, in a few words: "Title, version 2.1". */
export function nameOfChange({ fields, isOtherIcon, screenshots }: ChangedListing): string {
  const words = texts.timeline;
  const named = fields.map(({ name, after }) =>
    name === 'version' ? words.version(isolated(after)) : words.fields[name],
  );
  if (isOtherIcon) named.push(words.icon);
  if (screenshots) named.push(words.screenshots);
  return named.join(', ');
}
