import * as texts from '#texts';
import { filters, type ListFields } from './list-view.ts';

const words = texts.keywords.filters;

/** A chip for each filter. Of a group one is chosen; it is taken back by the same chip. */
export function FilterChips({
  fields,
  onChange,
}: {
  fields: ListFields;
  onChange: (change: Partial<ListFields>) => void;
}) {
  const names = Object.keys(filters) as (keyof typeof filters)[];
  return (
    <fieldset class="chips">
      <legend class="hidden">{words.label}</legend>
      {names.flatMap((name) =>
        Object.keys(filters[name]).map((value) => {
          const isChosen = fields[name] === value;
          return (
            <button
              key={`${name} ${value}`}
              type="button"
              class="chip"
              aria-pressed={isChosen}
              onClick={() => onChange({ [name]: isChosen ? '' : value })}
            >
              {(words[name] as Record<string, string>)[value]}
            </button>
          );
        }),
      )}
    </fieldset>
  );
}
