import { StoreFailure } from '../store-health/store-failure.ts';

/**
 * Refuses markup that is nested so deeply that parsing it would take minutes or exhaust the stack. A parser's time
 * grows with the square of the depth, the time of this check only with the length. Formatting elements that are closed
 * out of order are limited to `maxDepth` too, because an HTML parser opens them again and again.
 * @throws StoreFailure `malformed`
 */
export function refuseDeepNesting(
  markup: string,
  { maxDepth, isXml = false }: { maxDepth: number; isXml?: boolean },
): void {
  const open: string[] = [];
  let outOfOrder = 0;
  for (const { name, isEndTag, isSelfClosing } of tagsOf(markup, isXml)) {
    if (isEndTag) outOfOrder += close(open, name);
    else {
      if (!isXml && closedByTheNext.has(name) && open.at(-1) === name) open.pop();
      const isEmpty = isXml
        ? isSelfClosing
        : voidElements.has(name) || (isSelfClosing && isInSvgOrMath(open));
      if (!isEmpty) open.push(name);
    }
    if (open.length > maxDepth || outOfOrder > maxDepth)
      throw new StoreFailure('malformed', `sent a page that is nested more than ${maxDepth} deep`);
  }
}

type Tag = { name: string; isEndTag: boolean; isSelfClosing: boolean };

const voidElements: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Their end tag is often omitted; a following element of the same name closes them. */
const closedByTheNext: ReadonlySet<string> = new Set('p li dt dd option tr td th'.split(' '));
/** An HTML parser opens them again when an end tag of another element closes them. */
const formatting: ReadonlySet<string> = new Set(
  'a b big code em font i nobr s small strike strong tt u'.split(' '),
);
/** Their content is not markup. */
const textual: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'title']);

/** Skips everything that cannot be a tag: comments, texts, unclosed markup. */
function* tagsOf(markup: string, isXml: boolean): Generator<Tag> {
  const start = /<(?:!--|!\[CDATA\[|(\/?)([a-z][^\s/>]*))/gi;
  for (let match = start.exec(markup); match !== null; match = start.exec(markup)) {
    const [opening, slash, rawName = ''] = match;
    const name = isXml ? rawName : rawName.toLowerCase();
    const isEndTag = slash === '/';
    // Searches from within the opening, because <!--> is a complete comment in HTML.
    if (opening === '<!--') start.lastIndex = endOf(markup, '-->', match.index + 2);
    // A CDATA section. In HTML it is a comment that ends at the first >.
    else if (name === '') start.lastIndex = endOf(markup, isXml ? ']]>' : '>', start.lastIndex);
    else {
      const end = endOf(markup, '>', start.lastIndex);
      start.lastIndex = end;
      if (!isXml && !isEndTag && textual.has(name)) start.lastIndex = endOfText(markup, name, end);
      else yield { name, isEndTag, isSelfClosing: markup[end - 2] === '/' };
    }
  }
}

/** The index after the next `terminator`; the length of the markup when there is none. */
function endOf(markup: string, terminator: string, from: number): number {
  const at = markup.indexOf(terminator, from);
  return at < 0 ? markup.length : at + terminator.length;
}

function endOfText(markup: string, name: string, from: number): number {
  const end = new RegExp(`</${name}[\\s/>]`, 'gi');
  end.lastIndex = from;
  return end.exec(markup) === null ? markup.length : end.lastIndex;
}

/**
 * Closes the innermost element with this name and all elements inside it. Returns how many of those were formatting
 * elements, which are closed out of order. A stray end tag closes nothing.
 */
function close(open: string[], name: string): number {
  const index = open.lastIndexOf(name);
  if (index < 0) return 0;
  return open
    .splice(index)
    .slice(1)
    .filter((inner) => formatting.has(inner)).length;
}

/** In HTML a slash closes an element only within svg and math. */
function isInSvgOrMath(open: readonly string[]): boolean {
  return open.includes('svg') || open.includes('math');
}
