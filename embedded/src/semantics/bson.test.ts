import { mongo } from 'mongoose';
import { Binary, ObjectId } from './bson.ts';

test('the classes are those of the driver', () => {
  expect(ObjectId).toBe(mongo.ObjectId);
  expect(Binary).toBe(mongo.Binary);
});
