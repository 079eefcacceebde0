import { Keyword } from './pages/keyword/view.tsx';
import { showPage } from './show-page.tsx';

/** The script of the page of a keyword, which has the most parts. */
showPage(({ data }) => (data.page === 'keyword' ? <Keyword model={data.model} /> : null));
