import { Account } from './pages/account/view.tsx';
import { App } from './pages/app/view.tsx';
import { Keyword } from './pages/keyword/view.tsx';
import { Keywords } from './pages/keywords/view.tsx';
import { Overview } from './pages/overview/view.tsx';
import { showPage } from './show-page.tsx';
import './style.css';

/** The script of the pages that are looked at. Those on which one works have `work.tsx`, so that each page loads little. */
showPage(({ data }) => {
  switch (data.page) {
    case 'overview':
      return <Overview model={data.model} />;
    case 'app':
      return <App model={data.model} />;
    case 'keywords':
      return <Keywords model={data.model} />;
    case 'keyword':
      return <Keyword model={data.model} />;
    case 'account':
      return <Account model={data.model} />;
  }
  return null;
});
