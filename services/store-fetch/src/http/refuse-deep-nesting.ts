import { StoreFailure } from '../sources/store-failure.ts';

/**
 * Refuses markup that is nested so deep that parsing it would take minutes or exhaust the stack: a parser's time grows
 * with the square of the depth, the time of this look at it with the length alone. Elements that are closed out of order
 * count, too, because a browser's parser opens those again and again.
 * @throws StoreFailure `malformed`
 */
export function refuseDeepNesting(
  markup: string,
  { maxDepth, isXml = false }: { maxDepth: number; isXml?: boolean },
): void {
  const open: string[] = [];
  let outOfOrder = 0;
  for (const { name, isClosing, isClosed } of tagsOf(markup, isXml)) {
    if (isClosing) outOfOrder += close(open, name);
    else {
      if (!isXml && closedByTheNext.has(name) && open.at(-1) === name) open.pop();
      const isEmpty = isXml ? isClosed : voidElements.has(name) || (isClosed && isDrawing(open));
      if (!isEmpty) open.push(name);
    }
    if (open.length > maxDepth || outOfOrder > maxDepth)
      throw new StoreFailure('malformed', `sent a page that is nested more than ${maxDepth} deep`);
  }
}

type Tag = { name: string; isClosing: boolean; isClosed: boolean };

const voidElements: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Mostly written without an end. */
const closedByTheNext: ReadonlySet<string> = new Set('p li dt dd option tr td th'.split(' '));
/** Opened again after an end that was not theirs. */
const formatting: ReadonlySet<string> = new Set(
  'a b big code em font i nobr s small strike strong tt u'.split(' '),
);
/** Their content is no markup. */
const textual: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'title']);

/** What cannot be a tag is passed over: comments, texts, and whatever has no end. */
function* tagsOf(markup: string, isXml: boolean): Generator<Tag> {
  const start = /<(?:!--|!\[CDATA\[|(\/?)([a-z][^\s/>]*))/gi;
  for (let found = start.exec(markup); found !== null; found = start.exec(markup)) {
    const [written, slash, asWritten = ''] = found;
    const name = isXml ? asWritten : asWritten.toLowerCase();
    const isClosing = slash === '/';
    // From within the opening: <!--> is a whole comment of HTML.
    if (written === '<!--') start.lastIndex = endOf(markup, '-->', found.index + 2);
    else if (name === '') start.lastIndex = endOf(markup, isXml ? ']]>' : '>', start.lastIndex);
    else {
      const end = endOf(markup, '>', start.lastIndex);
      start.lastIndex = end;
      if (!isXml && !isClosing && textual.has(name)) start.lastIndex = endOfText(markup, name, end);
      else yield { name, isClosing, isClosed: markup[end - 2] === '/' };
    }
  }
}

/** The end of the markup where there is no other. */
function endOf(markup: string, end: string, from: number): number {
  const at = markup.indexOf(end, from);
  return at < 0 ? markup.length : at + end.length;
}

function endOfText(markup: string, name: string, from: number): number {
  const end = new RegExp(`</${name}[\\s/>]`, 'gi');
  end.lastIndex = from;
  return end.exec(markup) === null ? markup.length : end.lastIndex;
}

/** How many elements were closed out of order by it. An end tag without a start tag ends nothing. */
function close(open: string[], name: string): number {
  const place = open.lastIndexOf(name);
  if (place < 0) return 0;
  return open
    .splice(place)
    .slice(1)
    .filter((inner) => formatting.has(inner)).length;
}

/** Only within drawings and formulas does a slash close an element of HTML. */
function isDrawing(open: readonly string[]): boolean {
  return open.includes('svg') || open.includes('math');
}
