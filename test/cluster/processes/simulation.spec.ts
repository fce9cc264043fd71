import { describe, expect, it } from '@jest/globals';
import { NodeProgram } from '../../support/programs/node-program.js';

const END_MS = 100_000;
const SMALL = {
  sessions: 400,
  streams: 20,
  listeners: 8,
  returning: 10,
  messages: 30,
  intervalMs: 5,
  callers: 2,
  kills: 1,
};

function simulate(options: Record<string, number>): NodeProgram {
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return new NodeProgram('.build/test/cluster/processes/soak/main.js', {}, [], given);
}

describe('The simulation of many sessions over four processes', () => {
  it('loses nothing while one of them is killed, and says what a session and a message cost (RELAY-01) (RELAY-03)', async () => {
    const program = simulate(SMALL);
    const code = await program.exitCode(END_MS);
    const failed = program.stdout.match(/^FAIL.*(\n {6}.*)*/gm) ?? [];
    expect({ failed, code, errors: program.stderr, output: program.stdout }).toEqual({
      failed: [],
      code: 0,
      errors: '',
      output: expect.stringMatching(
        /taken up: 400 times[^]*process 4: 100 sessions[^]*a message: [^]*xadd 1\.00[^]*killed 1: [1-9]\d* standing streams/,
      ),
    });
  }, 120_000);

  it('refuses a plan that cannot be', async () => {
    const program = simulate({ ...SMALL, streams: 500 });
    expect(await program.exitCode(END_MS)).toBe(1);
    expect(program.stderr).toContain('"--streams" has to be "--sessions" at most, 400');
  }, 60_000);
});
