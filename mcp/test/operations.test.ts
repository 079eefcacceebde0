import { createOperations } from '../scripts/create-operations.ts';
import { operations } from '../src/gen/operations.ts';

test('the tools know the endpoints as the gateway has them: npm run generate', () => {
  expect(JSON.parse(JSON.stringify(createOperations()))).toEqual(operations);
});
