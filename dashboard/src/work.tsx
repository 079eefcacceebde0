import { Listing } from './pages/listing/view.tsx';
import { Simulator } from './pages/simulator/view.tsx';
import { showPage } from './show-page.tsx';

/** The script of the pages on which a listing is worked on. */
showPage(({ data }) => {
  switch (data.page) {
    case 'listing':
      return <Listing model={data.model} today={data.frame.today} />;
    case 'simulator':
      return <Simulator model={data.model} email={data.frame.account.email} />;
  }
  return null;
});
