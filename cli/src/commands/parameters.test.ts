import { routes } from '../../../gateway/src/routes/index.ts';
import { commands } from './index.ts';

/** What a command sends besides the parameters of its options. */
const sentOtherwise: Readonly<Record<string, readonly string[]>> = {
  simulate: ['app_id', 'title', 'subtitle', 'description', 'kw_field', 'context'],
  check: ['title', 'subtitle', 'description', 'kw_field'],
  track: ['keywords', 'app_id', 'store', 'country', 'lang'],
  niches: ['topic'],
};
/** The words of a draft are long, and are saved with the run. */
const leftOut = ['include_words'];
/** Options of `apps --add`, which calls another endpoint. */
const ofAnotherEndpoint = ['store', 'country', 'lang'];

const calling = commands.filter(({ endpoint }) => endpoint !== null);

test.each(calling)('$name offers every parameter of its endpoint, and no other', (command) => {
  const { name, endpoint, options } = command;
  const route = routes.find(
    ({ path, method }) => path === endpoint?.path && method.toUpperCase() === endpoint.method,
  );
  if (!route) throw new Error('there is no such endpoint');
  const body = (route.body as { shape?: object } | null)?.shape ?? {};
  const known = [...Object.keys(route.query.shape), ...Object.keys(body)].filter((field) => field !== 'bom');
  const own = Object.values(options).flatMap(({ parameter }) => parameter ?? []);
  const offered = new Set([...own, ...(sentOtherwise[name] ?? [])]);
  if (name === 'simulate') for (const field of leftOut) offered.add(field);
  if (name === 'apps') for (const field of ofAnotherEndpoint) offered.delete(field);
  expect([...offered].sort()).toEqual([...known].sort());
});
