import { type JSX, render } from 'preact';
import type { PageData } from './page-data.ts';
import { Shell } from './parts/shell.tsx';
import { titleOf } from './title-of.ts';

/**
 * Draws the page of this HTML. The data is in it: the first picture needs no further request.
 * @param Content what is inside the frame, or the page when it has none; null for a page of another script
 */
export function showPage(Content: (props: { data: PageData }) => JSX.Element | null): void {
  const data: PageData = JSON.parse(document.getElementById('data')?.textContent ?? '');
  render(<Page data={data} Content={Content} />, document.getElementById('page') as HTMLElement);
}

function Page({ data, Content }: { data: PageData; Content: Parameters<typeof showPage>[0] }) {
  if (data.frame === null) return <Content data={data} />;
  return (
    <Shell frame={data.frame} page={data.page} title={titleOf(data)}>
      <Content data={data} />
    </Shell>
  );
}
