import * as texts from '#texts';
import { formatNumber } from '../text/format.ts';
import type { ChangedListing } from '../timeline.ts';
import { nameOfChange } from './name-of-change.ts';
import { Value } from './value.tsx';

const words = texts.timeline;
/** Of a description, hundreds of words may be new. */
const shownWords = 12;

/** What changed, with the number of pictures. */
export function ChangeName({ change }: { change: ChangedListing }) {
  const { screenshots } = change;
  return (
    <>
      <strong>{nameOfChange(change)}</strong>
      {screenshots && (
        <>
          {' '}
          <span class="muted">
            {words.added} <Value of={screenshots.added} />, {words.removedWords}{' '}
            <Value of={screenshots.removed} />
          </span>
        </>
      )}
    </>
  );
}

/** Each text that changed: the words that came and went, and, when it is opened, the text before and after. */
export function ChangedTexts({ fields, lang }: { fields: ChangedListing['fields']; lang: string }) {
  return fields
    .filter(({ name }) => name !== 'version')
    .map(({ name, before, after, added, removed }) => (
      <details key={name}>
        <summary>
          {words.fields[name]}
          <SomeWords label={words.added} list={added} />
          <SomeWords label={words.removedWords} list={removed} />
        </summary>
        <p class="text" lang={lang} dir="auto">
          <del>{before}</del>
        </p>
        <p class="text" lang={lang} dir="auto">
          <ins>{after}</ins>
        </p>
      </details>
    ));
}

function SomeWords({ label, list }: { label: string; list: readonly string[] }) {
  if (list.length === 0) return null;
  const more = list.length - shownWords;
  return (
    <>
      {` · ${label} `}
      <bdi>{list.slice(0, shownWords).join(', ')}</bdi>
      {more > 0 && words.more(formatNumber(more))}
    </>
  );
}
