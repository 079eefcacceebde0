import { Account } from './pages/account/view.tsx';
import { Alerts } from './pages/alerts/view.tsx';
import { Charts } from './pages/charts/view.tsx';
import { Niches } from './pages/niches/view.tsx';
import { showPage } from './show-page.tsx';

/** The script of the pages of an account: topics, charts, alerts, and the account itself. */
showPage(({ data }) => {
  switch (data.page) {
    case 'niches':
      return <Niches model={data.model} frame={data.frame} />;
    case 'charts':
      return <Charts model={data.model} frame={data.frame} />;
    case 'alerts':
      return <Alerts model={data.model} frame={data.frame} />;
    case 'account':
      return <Account model={data.model} />;
  }
  return null;
});
