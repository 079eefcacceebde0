import { createCounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { callWithin } from '../../../testing/call-within.ts';
import { createAutocompleteStore } from '../src/stores/autocomplete-store.ts';
import { createScriptedSource } from './scripted-source.ts';
import { storefront, useService } from './use-service.ts';

const { connect } = useService();

test('only autocomplete queries from before the limit are deleted', async () => {
  let at = new Date('2026-03-10T09:00:00Z');
  const { source, answers } = createScriptedSource(() => at);
  answers.terms = () => ['habit'];
  const { client, connection } = await connect(source, { now: () => at });
  for (const [prefix, day] of [
    ['old', '2026-01-01'],
    ['new', '2026-03-01'],
  ] as const) {
    at = new Date(`${day}T00:00:00Z`);
    await client.runAutocomplete({ account_id: 'ann', storefront: storefront(), prefix }, callWithin());
  }
  const autocompletes = createAutocompleteStore(connection, createCounterStore(connection));
  expect(await autocompletes.deleteBefore(new Date('2026-02-01T00:00:00Z'))).toBe(1);
  const { queries } = await client.listAutocompletes(
    { account_id: 'ann', page: 1, per_page: 9 },
    callWithin(),
  );
  expect(queries.map(({ prefix }) => prefix)).toEqual(['new']);
});
