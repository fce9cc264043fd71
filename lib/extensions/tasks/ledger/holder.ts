import { randomUUID } from 'node:crypto';

/** Names this process among those that run tasks. */
export const HOLDER = randomUUID();
