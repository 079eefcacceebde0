import { mongoUriSetting } from './database-settings.ts';

test.each([
  'mongodb://127.0.0.1',
  'mongodb://ann:s%40cret@db-1:27017,db-2:27018/shop?replicaSet=rs0&authSource=admin',
  'mongodb+srv://ann:secret@cluster.example.com/?retryWrites=true',
  'mongodb://%2Ftmp%2Fmongodb-27017.sock',
])('%s is an address of MongoDB', (address) => {
  expect(mongoUriSetting.parse(address)).toBe(address);
});

test.each([
  'foo',
  'http://db:27017',
  'mongodb://',
  'mongodb://db:port',
  'mongodb://ann:p@ss@db',
  'mongodb://ann:%zz@db',
  'mongodb://db/?replicaSte=rs0',
  'mongodb+srv://db.example.com:27017',
])('%s is refused, without repeating the password that it may contain', (address) => {
  const { error } = mongoUriSetting.safeParse(address);
  expect(error?.issues.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^must start with mongodb:\/\/ or mongodb\+srv:\/\/ and name a host/),
  ]);
});
