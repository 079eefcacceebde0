import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { compileLater } from './compile-later.ts';

const schema = { type: 'object', properties: { id: { type: 'integer' } } };

test('a schema is compiled once, when the first value is checked', () => {
  const compiler = new AjvJsonSchemaValidator();
  const compile = jest.spyOn(compiler, 'getValidator');
  const check = compileLater(compiler).getValidator(schema);
  expect(compile).not.toHaveBeenCalled();
  expect(check({ id: 1 })).toMatchObject({ valid: true, data: { id: 1 } });
  expect(check({ id: 'one' })).toMatchObject({ valid: false, errorMessage: 'data/id must be integer' });
  expect(compile).toHaveBeenCalledTimes(1);
});
