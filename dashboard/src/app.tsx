import { App } from './pages/app/view.tsx';
import { SharedApp } from './pages/shared-app/view.tsx';
import { showPage } from './show-page.tsx';

/** The script of the page of an app, and of the page of a link, which has its parts. */
showPage(({ data }) => {
  switch (data.page) {
    case 'app':
      return <App model={data.model} today={data.frame.today} />;
    case 'shared-app':
      return <SharedApp model={data.model} />;
  }
  return null;
});
