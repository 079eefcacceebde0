import { load } from 'cheerio/slim';
import { StoreFailure } from '../store-failure.ts';

/**
 * What a property list in XML holds: a dict becomes an object, an array an array, everything else its text. Read
 * strictly, because an XML parser closes by itself what was cut off.
 * @throws StoreFailure `garbage`
 */
export function parsePlist(xml: string): unknown {
  if (!/<\/plist>\s*$/.test(xml)) throw noPlist(xml.trim() === '' ? 'an empty body' : 'a web page');
  const root = load(xml, { xml: true }).root().children();
  if (!root.is('plist')) throw noPlist('a web page');
  return toValue(onlyOne(root.children()), maxDepth);
}

type Nodes = ReturnType<ReturnType<ReturnType<typeof load>['root']>['children']>;

/** Lists of suggestions are three deep. A page of nothing but openings would exhaust the stack. */
const maxDepth = 16;

function toValue(node: Nodes, depth: number): unknown {
  const name = node.prop('tagName')?.toLowerCase() ?? 'nothing';
  const children = node.children();
  if (depth === 0) throw new StoreFailure('garbage', `sent a list nested more than ${maxDepth} deep`);
  if (name === 'dict') return toObject(withoutText(node), depth);
  if (name === 'array') return eachOf(withoutText(node)).map((child) => toValue(child, depth - 1));
  if (!simple.has(name) || children.length > 0) {
    throw new StoreFailure('garbage', `sent a list with an element that does not belong in it (${name})`);
  }
  return node.text();
}

const simple: ReadonlySet<string> = new Set(['string', 'integer', 'real', 'date', 'data', 'true', 'false']);

/** Keys and values take turns. */
function toObject(dict: Nodes, depth: number): Record<string, unknown> {
  const children = eachOf(dict);
  const entries = children.flatMap((key, i): [string, unknown][] => {
    if (i % 2 === 1) return [];
    const value = children[i + 1];
    if (value === undefined || !key.is('key')) {
      throw new StoreFailure('garbage', 'sent a list in which keys and values do not take turns');
    }
    return [[key.text(), toValue(value, depth - 1)]];
  });
  return Object.fromEntries(entries);
}

function withoutText(node: Nodes): Nodes {
  const isText = node.contents().is((_, child) => child.type === 'text' && child.data.trim() !== '');
  if (isText) throw new StoreFailure('garbage', 'sent a list with text between its elements');
  return node;
}

function onlyOne(nodes: Nodes): Nodes {
  if (nodes.length === 1) return nodes;
  throw new StoreFailure('garbage', `sent a list with ${nodes.length} values instead of one`);
}

function eachOf(nodes: Nodes): Nodes[] {
  const children = nodes.children();
  return Array.from({ length: children.length }, (_, i) => children.eq(i));
}

function noPlist(what: string): StoreFailure {
  return new StoreFailure('garbage', `sent ${what} instead of a property list`);
}
