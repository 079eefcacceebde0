import { countUnits } from '@shelfwise/facts/stores/listing-fields';
import { useRef } from 'preact/hooks';
import * as texts from '#texts';
import { numberOf } from '../../figure.ts';
import { ApiText } from '../../parts/api-text.tsx';
import { say } from '../../parts/toasts.tsx';
import { formatNumber } from '../../text/format.ts';
import { isNotKnown, shownText } from './draft-texts.ts';
import type { SimulatorModel, Texts } from './model.ts';
import type { FieldWarning } from './use-draft.ts';

const words = texts.simulator;

/** A field of the live listing and of the draft, side by side. */
export function DraftField({
  field,
  draft,
  lang,
  warnings,
  onType,
  onUseLive,
}: {
  field: SimulatorModel['fields'][number];
  draft: Texts;
  lang: string;
  warnings: readonly FieldWarning[];
  onType: (text: string) => void;
  onUseLive: () => void;
}) {
  const input = useRef<HTMLTextAreaElement>(null);
  const { key, label, live } = field;
  const text = shownText(draft, field);
  const isUnknown = isNotKnown(draft, field);
  const limit = numberOf(field.limit) ?? 0;
  const length = countUnits(text);
  const useLive = live === null ? words.useUnknown : words.useLive;
  const rows = key === 'description' ? 8 : 2;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => say(words.copied(label)),
      () => {
        // Without https a page may not write to the clipboard.
        input.current?.select();
        say(words.selected);
      },
    );
  return (
    <section class="pair" aria-label={label}>
      <div>
        {live === null || live === '' ? (
          <p>
            <strong>
              <ApiText>{label}</ApiText>
            </strong>{' '}
            <small>{words.live}</small>{' '}
            <span class="muted">{live === null ? words.liveUnknown : words.liveEmpty}</span>
          </p>
        ) : (
          <>
            <label for={`live-${key}`}>
              <ApiText>{label}</ApiText> <small>{words.live}</small>
            </label>
            <textarea id={`live-${key}`} readOnly rows={rows} lang={lang} dir="auto" value={live} />
          </>
        )}
      </div>
      <div>
        <label for={`draft-${key}`}>
          <ApiText>{label}</ApiText> <small>{words.draft}</small>{' '}
          {!isUnknown && (
            <span class={length > limit ? 'over' : 'muted'}>
              {texts.listing.of(formatNumber(length), formatNumber(limit))}
            </span>
          )}
        </label>
        <textarea
          id={`draft-${key}`}
          ref={input}
          rows={rows}
          lang={lang}
          dir="auto"
          value={text}
          placeholder={isUnknown ? words.draftUnknown : undefined}
          aria-describedby={`checked-${key}`}
          onInput={(event) => onType(event.currentTarget.value)}
        />
        <ul id={`checked-${key}`} class="list" aria-live="polite">
          {warnings.map(({ level, message }) => (
            <li key={message} class={`checked ${level}`}>
              <strong>{words.levels[level]}:</strong> <ApiText>{message}</ApiText>
            </li>
          ))}
        </ul>
        <p class="row">
          <button type="button" disabled={text === ''} onClick={copy} aria-label={`${words.copy}: ${label}`}>
            {words.copy}
          </button>
          {draft[key] === null ? (
            <span class="muted">{isUnknown ? words.isUnknown : words.isLive}</span>
          ) : (
            <button type="button" onClick={onUseLive} aria-label={`${useLive}: ${label}`}>
              {useLive}
            </button>
          )}
        </p>
      </div>
    </section>
  );
}
