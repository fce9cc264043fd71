import { hostname } from 'node:os';

/** What this process is called in what the sample prints. */
export const PROCESS_NAME = process.env['PROCESS_NAME'] ?? hostname();
