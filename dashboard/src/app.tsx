import { App } from './pages/app/view.tsx';
import { Keyword } from './pages/keyword/view.tsx';
import { showPage } from './show-page.tsx';

/** The script of the pages that show an app by day: the app itself, and a keyword. */
showPage(({ data }) => {
  switch (data.page) {
    case 'app':
      return <App model={data.model} today={data.frame.today} />;
    case 'keyword':
      return <Keyword model={data.model} />;
  }
  return null;
});
