import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from '../bench/session.js';
import { until } from '../support/until.js';
import { CrowdedProgram } from './crowded-program.js';
import { callBeside, callMeanwhile, Exchanges, expectServed, format } from './second-caller.js';
import { SlowIntrospection } from './slow-introspection.js';

const TOKEN = 'an-opaque-token-of-ada';
const CONNECTIONS = 400;
const TOKENS = 3000;
const HESITATION_MS = 2000;
const MOST_UNKNOWN = 256;

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('More than three thousand made-up tokens at a slow authorization server, with 256 MB of heap', () => {
  let issuer: SlowIntrospection;
  let program: CrowdedProgram;
  /** It knows the token, and asks nobody. */
  let quiet: CrowdedProgram;

  beforeAll(async () => {
    issuer = await SlowIntrospection.start([TOKEN], HESITATION_MS);
    program = await CrowdedProgram.start({ INTROSPECTION: issuer.url });
    quiet = await CrowdedProgram.start({ TOKENS: JSON.stringify([{ token: TOKEN, subject: 'ada' }]) });
  });

  afterAll(async () => {
    await Promise.all([program.stop(), quiet.stop()]);
    await issuer.stop();
  });

  /** Presses with tokens that nobody gave, each request as soon as the last one is answered. A connection that is lost is replaced. */
  async function press(exchanges: Exchanges, isDone: () => boolean): Promise<void> {
    let connection = await connect({ port: program.port });
    while (!isDone()) {
      try {
        await exchanges.send(connection, format('ping'), bearer(randomUUID()));
      } catch {
        connection = await connect({ port: program.port });
      }
    }
    connection.destroy();
  }

  const pressAll = (exchanges: Exchanges, isDone: () => boolean) =>
    Promise.all(Array.from({ length: CONNECTIONS }, () => press(exchanges, isDone)));

  /** Presses until the tokens have done their worst. */
  async function makeUp(exchanges: Exchanges): Promise<void> {
    const asked = issuer.known;
    await pressAll(exchanges, () => exchanges.count >= TOKENS && issuer.known > asked);
  }

  it('take no question from a caller whose token was active before, and cause no 5xx (FAIR-03) (FAIR-09)', async () => {
    await callMeanwhile(program.port, () => Promise.resolve(), bearer(TOKEN));
    const made = new Exchanges();
    const flood = makeUp(made);
    await until(() => issuer.unknown.now === MOST_UNKNOWN, 'all questions to be taken', 30_000);
    const served = await callBeside([program.port, quiet.port], () => flood, bearer(TOKEN));
    // The token was asked about again while all questions were taken.
    expect(issuer.known).toBeGreaterThan(1);
    expectServed(...served);
    // A question that fails, as some do at a busy machine, is no failure of this server.
    expect(Object.keys(made.statuses).filter((status) => !['401', '429'].includes(status))).toEqual([]);
    expect(made.statuses[401]).toBeGreaterThan(0);
    expect(issuer.unknown.most).toBe(MOST_UNKNOWN);
  }, 120_000);

  it('refuse no login, however many of them come at once and however slow the machine is (FAIR-03) (FAIR-09)', async () => {
    const made = new Exchanges();
    const over = new AbortController();
    const flood = pressAll(made, () => over.signal.aborted);
    await until(() => issuer.unknown.now === MOST_UNKNOWN, 'all questions to be taken', 30_000);
    const logins = Array.from({ length: 12 }, (_, index) => `login-${index}`);
    issuer.issue(...logins);
    const answers = await Promise.all(
      logins.map((token) => callMeanwhile(program.port, () => Promise.resolve(), bearer(token))),
    );
    over.abort();
    await flood;
    // Each shakes hands, confirms and calls; a question that waits for its turn is not refused.
    expect(answers.map(({ statuses }) => statuses)).toEqual(logins.map(() => ({ 200: 2, 202: 1 })));
    expect(Object.keys(made.statuses)).toEqual(['401']);
  }, 120_000);
});
