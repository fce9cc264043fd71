import { afterEach, describe, expect, it } from '@jest/globals';
import { NodeProgram } from '../support/programs/node-program.js';

const PROGRAM = '.build/test/soak/main.js';
/** Ten seconds, which say little of the heap: the run of `npm run soak` does. */
const OPTIONS = ['--minutes', '0.17', '--sessions', '100', '--rate', '50', '--flat', '25'];

describe('A server that is soaked for ten seconds by a hundred sessions', () => {
  let program: NodeProgram | undefined;

  afterEach(() => program?.stop());

  it('answers as it should, forgets who has gone, and ends by itself (SAFE-03) (SESS-04) (MOD-12)', async () => {
    program = new NodeProgram(PROGRAM, {}, [], OPTIONS);
    const exitCode = await program.exitCode(80_000);
    const criteria = program.stdout.split('\n').filter((line) => /^(?:PASS|FAIL) /.test(line));
    expect(criteria.filter((line) => line.startsWith('FAIL'))).toEqual([]);
    expect({ criteria: criteria.length, exitCode, stderr: program.stderr }).toEqual({
      criteria: 9,
      exitCode: 0,
      stderr: '',
    });
  });
});
