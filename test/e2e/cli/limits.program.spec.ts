import { Injectable } from '@nestjs/common';
import { Throttle, ThrottlerModule } from '@nestjs/throttler';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RateLimitedError, Tool } from 'nestjs-mcp';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { callTool } from '../../support/clients/tools.js';
import { runHere } from '../../support/programs/run-here.js';

@Injectable()
class LimitedTools {
  @Tool()
  @Throttle({ default: { limit: 1, ttl: 60_000 } })
  late() {
    return 'late';
  }

  #isRefused = false;

  /** Refuses the first call. */
  @Tool()
  soon() {
    if (this.#isRefused) return 'soon';
    this.#isRefused = true;
    throw new RateLimitedError('Too many', { retryAfterMs: 1000 });
  }
}

describe('nestjs-mcp-cli call, of a tool that the server limits', () => {
  let desk: RunningApp;

  beforeAll(async () => {
    const imports = [ThrottlerModule.forRoot([{ ttl: 60_000, limit: 10 }])];
    desk = await bootServer({ imports, providers: [LimitedTools] });
  });

  afterAll(() => desk.close());

  it('says when to come again (OPS-04) (CLI-20)', async () => {
    await callTool(desk.url, 'late', {});
    const { code, stdout, stderr } = await runHere(['call', desk.url, 'late']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^The server is rate limiting requests: try again in (?<seconds>\d\d) s, or pass "--max-wait \k<seconds>000" to wait and retry\n$/,
    );
  });

  it('waits if it is told to (OPS-04) (CLI-20)', async () => {
    const { code, stdout, stderr } = await runHere(['call', desk.url, 'soon', '--max-wait', '20000']);
    expect([code, stdout]).toEqual([0, 'soon\n']);
    expect(stderr).toMatch(/^The server is rate limiting requests: trying again in \d s\n$/);
  });

  it.each(['0', 'long', '-5'])('takes no %s for how long (OPS-04) (CLI-20)', async (wait) => {
    const { code, stderr } = await runHere(['call', desk.url, 'late', `--max-wait=${wait}`]);
    expect(code).toBe(2);
    expect(stderr).toContain('"--max-wait" must be a number of milliseconds from 1 to 86400000');
  });
});
