import { ProbeError } from './probe.error.js';

/** Is thrown if a request is redirected, and nothing of the answer can be seen from where it was sent. */
export class RedirectedError extends ProbeError {}
