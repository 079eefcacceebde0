/** `npm run times -- WHAT [options]`: the measurements of times. Without WHAT: their questions. */
const all = {
  endpoints: () => import('./endpoints.ts'),
  list: () => import('./list.ts'),
  rivals: () => import('./rivals.ts'),
  'kept-pages': () => import('./kept-pages.ts'),
  dashboard: () => import('./dashboard.ts'),
  score: () => import('./score.ts'),
  discovery: () => import('./discovery.ts'),
  audit: () => import('./audit.ts'),
  'metadata-check': () => import('./metadata-check.ts'),
  refused: () => import('./refused.ts'),
  transport: () => import('./transport.ts'),
  limit: () => import('./limit.ts'),
  'gateway-path': () => import('./gateway-path.ts'),
  'trace-cost': () => import('./trace-cost.ts'),
  'daily-run': () => import('./daily-run.ts'),
  'alert-cost': () => import('./alert-cost.ts'),
  deliveries: () => import('./deliveries.ts'),
  'first-calls': () => import('./first-calls.ts'),
  'known-words': () => import('./known-words.ts'),
  idle: () => import('./idle.ts'),
  disk: () => import('./disk.ts'),
};

const [what = '', ...words] = process.argv.slice(2);
if (Object.hasOwn(all, what)) await (await all[what as keyof typeof all]()).times.run(words);
else {
  console.log('Usage: npm run times -- WHAT [options]; its options: npm run times -- WHAT --help\n');
  for (const [name, load] of Object.entries(all))
    console.log(`  ${name.padEnd(15)} ${(await load()).times.question}`);
  process.exitCode = what === '' || what === '--help' ? 0 : 2;
}
