import { afterEach, describe, expect, it } from '@jest/globals';
import { publishedClient } from '../support/clients/task-wires.js';
import { CrowdedProgram } from './crowded-program.js';
import { callMeanwhile, expectServed } from './second-caller.js';

const TASKS = 10_010;
const AT_ONCE = 25;
const tokenOf = (name: string): string => `a-token-of-${name}-0123456789`;
const bearer = (name: string) => ({ authorization: `Bearer ${tokenOf(name)}` });

describe('Ten thousand quick tasks of one caller, with 256 MB of heap', () => {
  let program: CrowdedProgram;

  afterEach(() => program.stop());

  it('leave the result of another caller where it is (FAIR-03) (TASK-02)', async () => {
    const tokens = ['ada', 'bob'].map((subject) => ({ token: tokenOf(subject), subject }));
    program = await CrowdedProgram.start({ TOKENS: JSON.stringify(tokens) });
    const [ada, bob] = ['ada', 'bob'].map((name) => publishedClient(program.url, { headers: bearer(name) }));
    const { taskId } = await bob!.create('work');
    expect(await bob!.reach(taskId)).toMatchObject({ status: 'completed' });
    let left = TASKS;
    const press = async (): Promise<void> => {
      while (left-- > 0) await ada!.create('work');
    };
    const flood = () => Promise.all(Array.from({ length: AT_ONCE }, press));
    expectServed(await callMeanwhile(program.port, flood, bearer('bob')));
    expect(await bob!.get(taskId)).toMatchObject({ status: 'completed' });
  }, 240_000);
});
