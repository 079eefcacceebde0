import fc from 'fast-check';

/** The number of random cases of each property that sets none itself (PROPERTY_RUNS); others use `atLeastRuns`. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: Number(process.env.PROPERTY_RUNS) });
