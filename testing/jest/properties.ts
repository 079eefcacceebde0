import fc from 'fast-check';

/**
 * The random cases of each property: a fixed seed, so that the same commit always gets the same verdict. PROPERTY_RUNS asks for
 * that many other cases of each property that sets no number itself; others use `atLeastRuns`. A failure prints its seed.
 */
const settings = fc.readConfigureGlobal();
if (process.env.PROPERTY_RUNS) settings.numRuns = Number(process.env.PROPERTY_RUNS);
else settings.seed = 1;
fc.configureGlobal(settings);
