import * as texts from '#texts';

/** A chip for each choice of each filter. Of a filter one is chosen; it is taken back by the same chip. */
export function FilterChips<Name extends string>({
  filters,
  words,
  fields,
  onChange,
}: {
  filters: Readonly<Record<Name, object>>;
  /** what the chips say, by the names of filters and choices */
  words: Readonly<Record<NoInfer<Name>, Readonly<Record<string, string>>>>;
  fields: Readonly<Record<NoInfer<Name>, string>>;
  onChange: (change: Record<NoInfer<Name>, string>) => void;
}) {
  return (
    <fieldset class="chips">
      <legend class="hidden">{texts.keywordList.filters.label}</legend>
      {(Object.keys(filters) as Name[]).flatMap((name) =>
        Object.keys(filters[name]).map((value) => {
          const isChosen = fields[name] === value;
          return (
            <button
              key={`${name} ${value}`}
              type="button"
              class="chip"
              aria-pressed={isChosen}
              onClick={() => onChange({ [name]: isChosen ? '' : value } as Record<Name, string>)}
            >
              {words[name][value]}
            </button>
          );
        }),
      )}
    </fieldset>
  );
}
