import { Charts } from './pages/charts/view.tsx';
import { Niches } from './pages/niches/view.tsx';
import { showPage } from './show-page.tsx';

/** The script of the pages on which one looks for more: topics and charts. */
showPage(({ data }) => {
  switch (data.page) {
    case 'niches':
      return <Niches model={data.model} frame={data.frame} />;
    case 'charts':
      return <Charts model={data.model} frame={data.frame} />;
  }
  return null;
});
