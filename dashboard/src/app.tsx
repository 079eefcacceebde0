import { App } from './pages/app/view.tsx';
import { Keyword } from './pages/keyword/view.tsx';
import { SharedApp } from './pages/shared-app/view.tsx';
import { showPage } from './show-page.tsx';

/** The script of the pages that show an app by day: the app, a keyword, and what a link shows. */
showPage(({ data }) => {
  switch (data.page) {
    case 'app':
      return <App model={data.model} today={data.frame.today} />;
    case 'keyword':
      return <Keyword model={data.model} />;
    case 'shared-app':
      return <SharedApp model={data.model} />;
  }
  return null;
});
