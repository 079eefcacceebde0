import { render } from 'preact';
import type { PageData } from './page-data.ts';
import { Account } from './pages/account/view.tsx';
import { App } from './pages/app/view.tsx';
import { Keyword } from './pages/keyword/view.tsx';
import { Keywords } from './pages/keywords/view.tsx';
import { Listing } from './pages/listing/view.tsx';
import { Overview } from './pages/overview/view.tsx';
import { Problem } from './pages/problem/view.tsx';
import { SignIn } from './pages/sign-in/view.tsx';
import { Simulator } from './pages/simulator/view.tsx';
import { Shell } from './parts/shell.tsx';
import { titleOf } from './title-of.ts';
import './style.css';

/** The data is in the HTML of the page: the first picture needs no further request. */
const data: PageData = JSON.parse(document.getElementById('data')?.textContent ?? '');

function Page() {
  if (data.page === 'sign-in') return <SignIn />;
  if (data.page === 'problem') return <Problem model={data.model} />;
  return (
    <Shell frame={data.frame} page={data.page} title={titleOf(data)}>
      <Content />
    </Shell>
  );
}

function Content() {
  switch (data.page) {
    case 'overview':
      return <Overview model={data.model} />;
    case 'app':
      return <App model={data.model} />;
    case 'keywords':
      return <Keywords model={data.model} />;
    case 'keyword':
      return <Keyword model={data.model} />;
    case 'listing':
      return <Listing model={data.model} />;
    case 'simulator':
      return <Simulator model={data.model} email={data.frame.account.email} />;
    case 'account':
      return <Account model={data.model} />;
  }
  return null;
}

render(<Page />, document.getElementById('page') as HTMLElement);
