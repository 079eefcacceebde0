import { Account } from './pages/account/view.tsx';
import { Charts } from './pages/charts/view.tsx';
import { Connect } from './pages/connect/view.tsx';
import { Keyword } from './pages/keyword/view.tsx';
import { Niches } from './pages/niches/view.tsx';
import { SharedApp } from './pages/shared-app/view.tsx';
import { showPage } from './show-page.tsx';

/** The script of the pages with a single keyword, topic, chart, account, connection or link. */
showPage(({ data }) => {
  switch (data.page) {
    case 'keyword':
      return <Keyword model={data.model} />;
    case 'niches':
      return <Niches model={data.model} frame={data.frame} />;
    case 'charts':
      return <Charts model={data.model} frame={data.frame} />;
    case 'account':
      return <Account model={data.model} />;
    case 'connect':
      return <Connect model={data.model} />;
    case 'shared-app':
      return <SharedApp model={data.model} />;
  }
  return null;
});
