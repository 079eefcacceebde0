import { useState } from 'preact/hooks';

/** Texts that are kept in the query of the address, so that a view can be kept and shared. */
export function useAddress<Fields extends Record<string, string>>(
  first: Fields,
): [Fields, (change: Partial<Fields>) => void] {
  const [fields, setFields] = useState(() => readAddress(first));
  const change = (changed: Partial<Fields>) => {
    const next = { ...fields, ...changed };
    setFields(next);
    history.replaceState(null, '', toQuery(next, first) || location.pathname);
  };
  return [fields, change];
}

/** The fields of the present address; `first` for those that it does not have. */
export function readAddress<Fields extends Record<string, string>>(first: Fields): Fields {
  const query = new URLSearchParams(location.search);
  return Object.fromEntries(
    Object.entries(first).map(([name, value]) => [name, query.get(name) ?? value]),
  ) as Fields;
}

/** With its question mark. Fields with their first value are left out; empty when all are. */
export function toQuery<Fields extends Record<string, string>>(fields: Fields, first: Fields): string {
  const query = new URLSearchParams(Object.entries(fields).filter(([name, value]) => value !== first[name]));
  return query.size > 0 ? `?${query}` : '';
}
