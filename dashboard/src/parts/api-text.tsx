import type { ComponentChildren } from 'preact';

/** What the API says. It has one language, whatever that of the page is. */
export function ApiText({ children }: { children: ComponentChildren }) {
  return <bdi lang="en">{children}</bdi>;
}
