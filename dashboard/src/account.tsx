import { Account } from './pages/account/view.tsx';
import { Alerts } from './pages/alerts/view.tsx';
import { showPage } from './show-page.tsx';

/** The script of the pages of an account: its alerts, and the account itself. */
showPage(({ data }) => {
  switch (data.page) {
    case 'alerts':
      return <Alerts model={data.model} frame={data.frame} />;
    case 'account':
      return <Account model={data.model} />;
  }
  return null;
});
