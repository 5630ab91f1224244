import * as fc from 'fast-check';
import { inject } from 'vitest';

/* Before each file of tests: what its properties are tried with comes from the run's one seed. A failure prints it. */

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: inject('seed') });
