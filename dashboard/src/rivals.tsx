import { Alerts } from './pages/alerts/view.tsx';
import { Rivals } from './pages/rivals/view.tsx';
import { showPage } from './show-page.tsx';

/** The script of the pages of rivals and alerts. */
showPage(({ data }) => {
  switch (data.page) {
    case 'rivals':
      return <Rivals model={data.model} />;
    case 'alerts':
      return <Alerts model={data.model} frame={data.frame} />;
  }
  return null;
});
