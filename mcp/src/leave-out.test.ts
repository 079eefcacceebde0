import type { JsonSchema } from './api/operation.ts';
import { leaveOut, leaveOutOfSchema } from './leave-out.ts';

const text = { type: 'string' };

describe('fields that an answer leaves out', () => {
  it('are gone from objects and from the rows of lists', () => {
    const answer = {
      data: [
        { title: 'A', icon: 'a' },
        { title: 'B', icon: 'b' },
      ],
      meta: { total: 2 },
    };
    expect(leaveOut(answer, ['data[].icon', 'meta.total'])).toEqual({
      data: [{ title: 'A' }, { title: 'B' }],
      meta: {},
    });
  });

  it('may be missing, or lie in something that is null', () => {
    const answer = { data: [{ ahead: null }, { ahead: { title: 'A', icon: 'a' } }] };
    expect(leaveOut(answer, ['data[].ahead.icon'])).toEqual({
      data: [{ ahead: null }, { ahead: { title: 'A' } }],
    });
  });

  it('are gone from the schema and from what it requires, also behind a null', () => {
    const row = { type: 'object', properties: { title: text, icon: text }, required: ['title', 'icon'] };
    const schema = { properties: { data: { items: { anyOf: [row, { type: 'null' }] } } } };
    const kept = { type: 'object', properties: { title: text }, required: ['title'] };
    expect(leaveOutOfSchema(schema, ['data[].icon'])).toEqual({
      properties: { data: { items: { anyOf: [kept, { type: 'null' }] } } },
    });
  });

  it('are gone from every option, also from options of an option', () => {
    const row = { properties: { title: text, icon: text }, required: ['title', 'icon'] };
    const kept = { properties: { title: text }, required: ['title'] };
    const toOptions = (each: JsonSchema) => ({ anyOf: [each, { anyOf: [each, { type: 'null' }] }] });
    expect(leaveOutOfSchema(toOptions(row), ['icon'])).toEqual(toOptions(kept));
  });

  it('must exist in the schema', () => {
    expect(() => leaveOutOfSchema({ properties: { data: text } }, ['data[].icon'])).toThrow(
      'the answer has no data[].icon',
    );
  });
});
