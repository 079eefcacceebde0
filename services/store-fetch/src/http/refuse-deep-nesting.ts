import { StoreFailure } from '../sources/store-failure.ts';

/**
 * Refuses markup that is nested so deeply that parsing it would take minutes or exhaust the stack. A parser's time
 * grows with the square of the depth, the time of this check only with the length. Elements closed out of order count
 * too, because an HTML parser opens them again and again.
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
/** Their end tag is often omitted. */
const closedByTheNext: ReadonlySet<string> = new Set('p li dt dd option tr td th'.split(' '));
/** An HTML parser opens them again after an end tag that is not theirs. */
const formatting: ReadonlySet<string> = new Set(
  'a b big code em font i nobr s small strike strong tt u'.split(' '),
);
/** Their content is not markup. */
const textual: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'title']);

/** Skips everything that cannot be a tag: comments, texts, unclosed markup. */
function* tagsOf(markup: string, isXml: boolean): Generator<Tag> {
  const start = /<(?:!--|!\[CDATA\[|(\/?)([a-z][^\s/>]*))/gi;
  for (let found = start.exec(markup); found !== null; found = start.exec(markup)) {
    const [written, slash, asWritten = ''] = found;
    const name = isXml ? asWritten : asWritten.toLowerCase();
    const isClosing = slash === '/';
    // Searches from within the opening, because <!--> is a complete comment in HTML.
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

/** The index after `end`; the length of the markup when there is no such end. */
function endOf(markup: string, end: string, from: number): number {
  const at = markup.indexOf(end, from);
  return at < 0 ? markup.length : at + end.length;
}

function endOfText(markup: string, name: string, from: number): number {
  const end = new RegExp(`</${name}[\\s/>]`, 'gi');
  end.lastIndex = from;
  return end.exec(markup) === null ? markup.length : end.lastIndex;
}

/**
 * Closes an element and returns how many elements inside it were closed out of order. A stray end tag closes nothing.
 */
function close(open: string[], name: string): number {
  const place = open.lastIndexOf(name);
  if (place < 0) return 0;
  return open
    .splice(place)
    .slice(1)
    .filter((inner) => formatting.has(inner)).length;
}

/** In HTML a slash closes an element only within svg and math. */
function isDrawing(open: readonly string[]): boolean {
  return open.includes('svg') || open.includes('math');
}
