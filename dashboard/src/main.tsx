import { Keywords } from './pages/keywords/view.tsx';
import { Overview } from './pages/overview/view.tsx';
import { SharedApp } from './pages/shared-app/view.tsx';
import { showPage } from './show-page.tsx';
import './style.css';
import './print.css';

/** The script of the pages that are looked at daily, and of the page of a link, which has their parts. The others have scripts of their own, so that each page loads little. */
showPage(({ data }) => {
  switch (data.page) {
    case 'overview':
      return <Overview model={data.model} />;
    case 'keywords':
      return <Keywords model={data.model} />;
    case 'shared-app':
      return <SharedApp model={data.model} />;
  }
  return null;
});
