import fc from 'fast-check';

/** Of each property, how many random cases are tried at least; set by PROPERTY_RUNS. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: Number(process.env.PROPERTY_RUNS) });
