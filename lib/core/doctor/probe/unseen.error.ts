import { ProbeError } from './probe.error.js';

/** Is thrown if whoever examines may not look at a place, so that nothing can be said of it. */
export class UnseenError extends ProbeError {}
