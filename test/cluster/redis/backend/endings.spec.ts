import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NodeProgram } from '../../../support/programs/node-program.js';
import { RedisServer } from '../../../support/redis/redis-server.js';

const PROGRAM = fileURLToPath(new URL('../../../../.build/test/programs/lost-redis.js', import.meta.url));

describe('A process whose Redis is gone', () => {
  let server: RedisServer;

  beforeEach(async () => {
    server = await RedisServer.start();
  });
  afterEach(() => server.stop());

  it('ends when it leaves the others, and waits for no timer', async () => {
    const program = new NodeProgram(PROGRAM, { REDIS_URL: server.url });
    await program.prints('joined');
    await server.kill();
    expect(await program.exitCode()).toBe(0);
    expect(program.stdout).toContain('\n0 timers\n');
  });
});
