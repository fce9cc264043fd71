import { afterEach, describe, expect, it } from '@jest/globals';
import { sendHttp } from '../support/clients/raw-http.js';
import { CrowdedProgram } from './crowded-program.js';
import { callMeanwhile, expectServed, shakeHands, workMeanwhile } from './second-caller.js';

const TOKEN = 'a-token-of-ada-0123456789';
const CROWD = { handshakes: 13_000, connections: 50 };
const MOST_SESSIONS = 10_000;

describe('Thirteen thousand handshakes of a stranger, with 256 MB of heap', () => {
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
    ['an open server', {}],
    ['a server with public tools', { TOKENS: JSON.stringify([{ token: TOKEN, subject: 'ada' }]) }],
  ])(
    'end no session that is in use, also of their own address, on %s (FAIR-10)',
    async (_what, environment) => {
      program = await CrowdedProgram.start(environment);
      const worker = await workMeanwhile(program.port, async () => {
        const { statuses } = await shakeHands(program.port, CROWD);
        expect(statuses).toEqual({ 200: CROWD.handshakes });
      });
      expect(worker.statuses).toEqual({ 200: expect.any(Number), 202: 1 });
    },
    240_000,
  );

  it('take no place of a caller with a token, on a server with public tools (FAIR-03)', async () => {
    program = await CrowdedProgram.start({ TOKENS: JSON.stringify([{ token: TOKEN, subject: 'ada' }]) });
    const flood = shakeHands(program.port, CROWD);
    const caller = await callMeanwhile(program.port, () => flood, { authorization: `Bearer ${TOKEN}` });
    const crowd = await flood;
    expect(crowd.statuses).toEqual({ 200: CROWD.handshakes });
    expectServed(caller, crowd);
    expect(await countSessions()).toBeLessThanOrEqual(MOST_SESSIONS);
  }, 240_000);
});
