import { Connect } from './pages/connect/view.tsx';
import { Keywords } from './pages/keywords/view.tsx';
import { Overview } from './pages/overview/view.tsx';
import { Problem } from './pages/problem/view.tsx';
import { SignIn } from './pages/sign-in/view.tsx';
import { showPage } from './show-page.tsx';
import './style.css';
import './print.css';

/** The script of the pages of daily use, of the ways in, and of what failed. Other pages have scripts of their own: each loads little. */
showPage(({ data }) => {
  switch (data.page) {
    case 'overview':
      return <Overview model={data.model} />;
    case 'keywords':
      return <Keywords model={data.model} />;
    case 'connect':
      return <Connect model={data.model} />;
    case 'sign-in':
      return <SignIn model={data.model} />;
    case 'problem':
      return <Problem model={data.model} />;
  }
  return null;
});
