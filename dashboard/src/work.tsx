import { App } from './pages/app/view.tsx';
import { Listing } from './pages/listing/view.tsx';
import { Simulator } from './pages/simulator/view.tsx';
import { showPage } from './show-page.tsx';

/** The script of the pages about one app: what changed, and the listing that is worked on. */
showPage(({ data }) => {
  switch (data.page) {
    case 'app':
      return <App model={data.model} today={data.frame.today} />;
    case 'listing':
      return <Listing model={data.model} today={data.frame.today} />;
    case 'simulator':
      return <Simulator model={data.model} email={data.frame.account.email} />;
  }
  return null;
});
