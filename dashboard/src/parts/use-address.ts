import { useState } from 'preact/hooks';

/** Texts that are kept in the query of the address, so that a view can be kept and shared. Those with their first value are left out. */
export function useAddress<Fields extends Record<string, string>>(
  first: Fields,
): [Fields, (change: Partial<Fields>) => void] {
  const [fields, setFields] = useState(() => read(first));
  const change = (changed: Partial<Fields>) => {
    const next = { ...fields, ...changed };
    setFields(next);
    const query = new URLSearchParams(Object.entries(next).filter(([name, value]) => value !== first[name]));
    history.replaceState(null, '', query.size > 0 ? `?${query}` : location.pathname);
  };
  return [fields, change];
}

function read<Fields extends Record<string, string>>(first: Fields): Fields {
  const query = new URLSearchParams(location.search);
  return Object.fromEntries(
    Object.entries(first).map(([name, value]) => [name, query.get(name) ?? value]),
  ) as Fields;
}
