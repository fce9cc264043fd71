import { afterEach, describe, expect, it } from '@jest/globals';
import { sendHttp } from '../support/clients/raw-http.js';
import { CrowdedProgram } from './crowded-program.js';
import { callMeanwhile, expectServed, shakeHands, workMeanwhile } from './second-caller.js';

const TOKEN = 'a-token-of-ada-0123456789';
/** More than it keeps: by default, and if it is told to keep few. */
const CROWD = { handshakes: 13_000, connections: 50 };
const SMALL_CROWD = { handshakes: 1300, connections: 50 };
const MOST_SESSIONS = 10_000;
const FEW_SESSIONS = 1000;
const FEW = { MOST: String(FEW_SESSIONS) };

describe('More handshakes of a stranger than a process with 256 MB of heap keeps sessions', () => {
  let program: CrowdedProgram;

  afterEach(() => program.stop());

  const countSessions = async (): Promise<number> =>
    Number((await sendHttp(new URL('/sessions', program.url).href)).text);

  it('leave the process alive, and let other strangers in (FAIR-03) (FAIR-04)', async () => {
    program = await CrowdedProgram.start();
    const flood = shakeHands(program.port, CROWD);
    const caller = await callMeanwhile(program.port, () => flood);
    const crowd = await flood;
    expect(crowd.statuses).toEqual({ 200: CROWD.handshakes });
    expectServed(caller, crowd);
    expect(await countSessions()).toBeLessThanOrEqual(MOST_SESSIONS);
  }, 240_000);

  it.each<[string, NodeJS.ProcessEnv]>([
    ['an open server', FEW],
    ['a server with public tools', { ...FEW, TOKENS: JSON.stringify([{ token: TOKEN, subject: 'ada' }]) }],
  ])(
    'end no session that is in use, also of their own address, on %s (FAIR-10)',
    async (_what, environment) => {
      program = await CrowdedProgram.start(environment);
      const worker = await workMeanwhile(program.port, async () => {
        const { statuses } = await shakeHands(program.port, SMALL_CROWD);
        expect(statuses).toEqual({ 200: SMALL_CROWD.handshakes });
      });
      expect(worker.statuses).toEqual({ 200: expect.any(Number), 202: 1 });
    },
    240_000,
  );

  it('take no place of a caller with a token, on a server with public tools (FAIR-03)', async () => {
    const tokens = [{ token: TOKEN, subject: 'ada' }];
    program = await CrowdedProgram.start({ ...FEW, TOKENS: JSON.stringify(tokens) });
    const flood = shakeHands(program.port, SMALL_CROWD);
    const caller = await callMeanwhile(program.port, () => flood, { authorization: `Bearer ${TOKEN}` });
    const crowd = await flood;
    expect(crowd.statuses).toEqual({ 200: SMALL_CROWD.handshakes });
    expectServed(caller, crowd);
    expect(await countSessions()).toBeLessThanOrEqual(FEW_SESSIONS);
  }, 240_000);
});
