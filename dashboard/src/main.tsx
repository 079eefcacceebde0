import { Connect } from './pages/connect/view.tsx';
import { Keywords } from './pages/keywords/view.tsx';
import { Overview } from './pages/overview/view.tsx';
import { showPage } from './show-page.tsx';
import './style.css';
import './print.css';

/** The script of the pages of daily use and of the consent page. Other pages have scripts of their own, so that each page loads little. */
showPage(({ data }) => {
  switch (data.page) {
    case 'overview':
      return <Overview model={data.model} />;
    case 'keywords':
      return <Keywords model={data.model} />;
    case 'connect':
      return <Connect model={data.model} />;
  }
  return null;
});
