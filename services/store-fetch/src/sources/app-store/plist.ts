import { load } from 'cheerio/slim';
import { refuseDeepNesting } from '../../http/refuse-deep-nesting.ts';
import { StoreFailure } from '../../store-health/store-failure.ts';

/**
 * Parses an XML property list: a dict becomes an object, an array an array, an integer or a real a number, and all
 * else text. Strict, because an XML parser silently closes elements that were cut off.
 * @throws StoreFailure `malformed`
 */
export function parsePlist(xml: string): unknown {
  if (!/<\/plist>\s*$/.test(xml)) throw notPlist(xml.trim() === '' ? 'an empty body' : 'a web page');
  refuseDeepNesting(xml, { maxDepth, isXml: true });
  const root = load(xml, { xml: true }).root().children();
  if (!root.is('plist')) throw notPlist('a web page');
  return toValue(onlyOne(root.children()));
}

/** Elements, as cheerio selects them. */
type Nodes = ReturnType<ReturnType<ReturnType<typeof load>['root']>['children']>;

/** How deep elements may be nested; in a list of suggestions they are five deep. */
const maxDepth = 16;

function toValue(node: Nodes): unknown {
  const name = node.prop('tagName')?.toLowerCase() ?? 'nothing';
  const children = node.children();
  if (name === 'dict') return toObject(withoutText(node));
  if (name === 'array') return childrenOf(withoutText(node)).map(toValue);
  if (!leafElements.has(name) || children.length > 0) {
    throw new StoreFailure('malformed', `sent a list with an element that does not belong in it (${name})`);
  }
  return numberElements.has(name) ? Number(node.text()) : node.text();
}

const leafElements: ReadonlySet<string> = new Set([
  'string',
  'integer',
  'real',
  'date',
  'data',
  'true',
  'false',
]);
const numberElements: ReadonlySet<string> = new Set(['integer', 'real']);

/** Keys and values must alternate, and keys must be unique. */
function toObject(dict: Nodes): Record<string, unknown> {
  const children = childrenOf(dict);
  const entries = children.flatMap((key, i): [string, unknown][] => {
    if (i % 2 === 1) return [];
    const value = children[i + 1];
    if (value === undefined || !key.is('key') || key.children().length > 0) {
      throw new StoreFailure('malformed', 'sent a list in which keys and values do not alternate');
    }
    return [[key.text(), toValue(value)]];
  });
  const object = Object.fromEntries(entries);
  if (Object.keys(object).length === entries.length) return object;
  throw new StoreFailure('malformed', 'sent a list with a duplicate key');
}

function withoutText(node: Nodes): Nodes {
  const isText = node.contents().is((_, child) => child.type === 'text' && child.data.trim() !== '');
  if (isText) throw new StoreFailure('malformed', 'sent a list with text between its elements');
  return node;
}

function onlyOne(nodes: Nodes): Nodes {
  if (nodes.length === 1) return nodes;
  throw new StoreFailure('malformed', `sent a list with ${nodes.length} values instead of one`);
}

function childrenOf(nodes: Nodes): Nodes[] {
  const children = nodes.children();
  return Array.from({ length: children.length }, (_, i) => children.eq(i));
}

function notPlist(sent: string): StoreFailure {
  return new StoreFailure('malformed', `sent ${sent} instead of a property list`);
}
