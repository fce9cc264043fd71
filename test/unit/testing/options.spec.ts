import { describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { McpStdio } from '../../../lib/index.js';
import { FakeIssuer, McpTestingModule, memoryCluster } from '../../../lib/testing/index.js';

/** Options are checked before the application is asked for anything. */
const NO_APPLICATION = {} as INestApplicationContext;

describe('The options of functions', () => {
  it.each([
    [
      'McpTestingModule.createClient',
      () => McpTestingModule.createClient(NO_APPLICATION, { revison: '2025-11-25' } as never),
      '"createClient.revison" (did you mean "createClient.revision"?)',
    ],
    [
      'McpTestingModule.createClient',
      () => McpTestingModule.createClient(NO_APPLICATION, { revision: '2025-01-01' } as never),
      '"createClient.revision" must be "2024-11-05"',
    ],
    [
      'FakeIssuer.start',
      () => FakeIssuer.start({ algoritm: 'ES256' } as never),
      '"FakeIssuer.start.algoritm" (did you mean "FakeIssuer.start.algorithm"?)',
    ],
    [
      'McpStdio.run',
      () => McpStdio.run(class {}, { grace: 1 } as never),
      '"McpStdio.run.grace" (did you mean "McpStdio.run.graceMs"?)',
    ],
  ])('%s names what is wrong (MOD-11)', async (_name, act, message) => {
    await expect(act()).rejects.toThrow(message);
  });

  it('memoryCluster names what is wrong (MOD-11)', () => {
    expect(() => memoryCluster({ maxEntries: 0 })).toThrow('"memoryCluster.maxEntries" must be');
    expect(() => memoryCluster({ maxEntries: 1 })).not.toThrow();
  });
});
