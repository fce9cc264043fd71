import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TestIssuer } from '../support/authorization/issuer.js';
import { NodeProgram } from '../support/programs/node-program.js';
import { until } from '../support/until.js';
import { median } from '../bench/statistics.js';
import { Answers, Caller, callMeanwhile, createForger, readRetryAfter, storm } from './callers.js';

const PROGRAM = '.build/test/programs/protected-server.js';
const COOLDOWN_MS = 500;
/** What a busy machine adds to an answer is little beside it. */
const TIMEOUT_MS = 10_000;
const REQUESTS = 5000;
/** Slices of the storm, each beside one of the usual load: what else the machine does falls on both. */
const SLICES = 40;
const CONNECTIONS = 24;
/** Who ask at once while the key server hangs: all of them together wait for one time-out. */
const WAITING = 200;

describe('A key set that unknown keys are asked of, under load', () => {
  let issuer: TestIssuer;
  let program: NodeProgram;
  let port: number;
  let token: string;
  let stranger: Caller;
  let forge: () => string;
  /** Since when fetches are counted, and how many there were before. */
  let since: { readonly begunAt: number; readonly fetches: number };

  beforeAll(async () => {
    issuer = await TestIssuer.start();
    program = new NodeProgram(PROGRAM, {
      ISSUER: issuer.url,
      COOLDOWN_MS: String(COOLDOWN_MS),
      TIMEOUT_MS: String(TIMEOUT_MS),
    });
    await program.prints('ready');
    port = Number(/ready \S+:(\d+)/.exec(program.stdout)?.[1]);
    forge = createForger(issuer);
  });

  beforeEach(async () => {
    stranger = await Caller.open(port);
    token = await issuer.token();
    await until(async () => (await stranger.call(token)).status === 200, 'a token to be known');
    await until(async () => (await stranger.call(forge())).status === 401, 'the key server to be trusted');
    countFetches();
  });

  afterEach(() => {
    issuer.recover();
    stranger.close();
  });

  afterAll(async () => {
    await program.stop();
    await issuer.stop();
  });

  /** Begins to count fetches, at a time when nobody asks for keys. */
  function countFetches(): void {
    since = { begunAt: performance.now(), fetches: issuer.fetches };
  }

  /**
   * Expects no more fetches than can follow each other with a pause between them. They are counted where they arrive: however late
   * they are, none of them arrives before it has begun, so that this holds on whatever machine.
   */
  function expectFetchesApart(pauseMs = COOLDOWN_MS): void {
    const pauses = Math.floor((performance.now() - since.begunAt) / pauseMs);
    expect(issuer.fetches - since.fetches).toBeLessThanOrEqual(pauses + 1);
  }

  /** What a caller with a token that is known is answered, and nothing else. */
  const SERVED = { 200: expect.any(Number) };

  it('is fetched once per cool-down by thousands of tokens, and callers are served as ever (AUTH-11) (AUTH-12) (FAIR-09)', async () => {
    const usual: Answers[] = [];
    const served: Answers[] = [];
    const refused = new Answers();
    const load = { port, requests: REQUESTS / SLICES, connections: CONNECTIONS };
    const callUsually = async (): Promise<void> => {
      usual.push(await callMeanwhile({ port, token }, () => storm({ ...load, createToken: () => token })));
    };
    const callInStorm = async (): Promise<void> => {
      // To make them costs the crowd time, which would be the caller's too.
      const forged = Array.from({ length: load.requests }, forge);
      const createToken = (): string => forged.pop() ?? '';
      served.push(
        await callMeanwhile({ port, token }, () => storm({ ...load, createToken, answers: refused })),
      );
    };
    for (let slice = 0; slice < SLICES; slice += 1) {
      // Each goes first as often as the other.
      const pair = [callUsually, callInStorm];
      for (const call of slice % 2 === 0 ? pair : pair.toReversed()) await call();
    }
    expectFetchesApart();
    expectRefused(refused, REQUESTS);
    expect(issuer.fetches).toBeGreaterThan(since.fetches);
    for (const { statuses } of served) expect(statuses).toEqual(SERVED);
    // Who waited for keys would wait a hundred times as long.
    expect(findMiddleRatio(served, usual)).toBeLessThan(3);
  }, 120_000);

  it('is not there: 429 for who cannot be checked, and no difference for who is known (AUTH-11) (AUTH-12) (FAIR-09)', async () => {
    const served = await callMeanwhile({ port, token }, async () => {
      issuer.breakDown();
      const { fetches } = issuer;
      const refusal = await until(async () => {
        const answer = await stranger.call(forge());
        return issuer.fetches > fetches && answer.status === 429 && answer;
      }, 'an answer that names the key server');
      expect(readRetryAfter(refusal)).toBeGreaterThanOrEqual(1);
      const refused = await storm({ port, requests: 2000, connections: CONNECTIONS, createToken: forge });
      expect(refused.statuses).toEqual({ 429: 2000 });
      issuer.recover();
      await until(async () => (await stranger.call(forge())).status === 401, 'the key server to be back');
    });
    expect(served.statuses).toEqual(SERVED);
    expectFetchesApart();
  });

  it('hangs: all who ask wait for one fetch and get 429, and who is known does not wait (AUTH-11) (AUTH-12) (FAIR-09)', async () => {
    const served = await callMeanwhile({ port, token }, async () => {
      issuer.keyEndpoint.hang();
      countFetches();
      const { fetches } = issuer;
      await until(
        async () => (await stranger.call(forge())).status === 429 && issuer.fetches > fetches,
        'the first time-out',
      );
      await until(async () => {
        const refused = await storm({ port, requests: WAITING, connections: WAITING, createToken: forge });
        expect(refused.statuses).toEqual({ 429: WAITING });
        return refused.longestMs > TIMEOUT_MS / 2;
      }, 'callers who had to wait');
    });
    expect(served.statuses).toEqual(SERVED);
    expect(served.longestMs).toBeLessThan(TIMEOUT_MS / 2);
    expectFetchesApart(TIMEOUT_MS);
  }, 120_000);

  it('changes: fresh tokens are taken without a restart, while others come and go (AUTH-12)', async () => {
    const served = await callMeanwhile({ port, token }, async () => {
      for (let rotation = 0; rotation < 3; rotation += 1) {
        await issuer.rotate();
        const fresh = await issuer.token({ sub: `caller ${rotation}` });
        const storming = storm({ port, requests: 2000, connections: CONNECTIONS, createToken: forge });
        await until(async () => (await stranger.call(fresh)).status === 200, 'a fresh key to be known');
        expectRefused(await storming, 2000);
      }
    });
    expect(served.statuses).toEqual(SERVED);
    expectFetchesApart();
  });
});

/** Of a key that may be newer than those that are known nobody can tell; who has the issuer asked for it is refused for good. */
function expectRefused({ statuses }: Answers, requests: number): void {
  const { 401: refused = 0, 429: undecided = 0, ...others } = statuses;
  expect([refused + undecided, others]).toEqual([requests, {}]);
}

/** Gives the median of what slices take of the slices beside them: neither one that was disturbed nor a lucky one decides. */
function findMiddleRatio(slices: readonly Answers[], beside: readonly Answers[]): number {
  return median(slices.map(({ medianMs }, index) => medianMs / (beside[index]?.medianMs ?? 0)));
}
