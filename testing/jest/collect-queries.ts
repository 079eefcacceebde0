import mongoose from 'mongoose';
import { collectQuery } from '../query-plans/collected-queries.ts';
import { schemas } from '../query-plans/schemas.ts';
import { stopWatching, watchQueries } from '../query-plans/watch-queries.ts';

/*
 * Runs before each file of tests of the services and the gateway (`setupFilesAfterEnv` of jest): collects the queries
 * that the product sends during them. At the end of the run `explain-collected` asks for their plans.
 */

const path = expect.getState().testPath ?? '';
const tests = Object.keys(schemas).find((folder) => path.includes(`/${folder}/`));
const folder = process.env.COLLECTED_QUERIES;
stopWatching();
if (tests && folder) {
  const stop = watchQueries((query) => collectQuery(folder, { tests, query }));
  afterAll(stop);
}

/* Mongoose keeps each connection that was closed, with its models: those of earlier files, which would fill a worker. */
const [own, ...others] = mongoose.connections;
mongoose.connections.splice(
  0,
  mongoose.connections.length,
  ...(own ? [own] : []),
  ...others.filter(({ readyState }) => readyState !== mongoose.ConnectionStates.disconnected),
);
