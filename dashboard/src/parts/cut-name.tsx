import type { ComponentChildren } from 'preact';

/** A name of a store in a list, at most two lines of it: whole in its title. `children`: the picture before it. */
export function CutName({
  name,
  lang,
  children,
}: {
  name: string;
  lang?: string;
  children?: ComponentChildren;
}) {
  return (
    <span class="cut" title={name}>
      {children}
      {children && ' '}
      <bdi dir="auto" lang={lang}>
        {name}
      </bdi>
    </span>
  );
}
