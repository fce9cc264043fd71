/** Stands for Vitest, in which `npm run test:install` runs the same tests: what they use of it, Jest has under the same names. */
export { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
