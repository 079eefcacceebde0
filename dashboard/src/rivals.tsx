import { Rivals } from './pages/rivals/view.tsx';
import { showPage } from './show-page.tsx';

/** The script of the page of rivals. */
showPage(({ data }) => (data.page === 'rivals' ? <Rivals model={data.model} /> : null));
