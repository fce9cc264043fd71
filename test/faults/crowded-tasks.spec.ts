import { afterEach, describe, expect, it } from '@jest/globals';
import { publishedClient, serviceClient } from '../support/clients/task-wires.js';
import { CrowdedProgram } from './crowded-program.js';
import { callBeside, expectServed } from './second-caller.js';

/** A little more than it keeps: by default, and if it is told to keep few. */
const [MANY, FEW] = [10_010, 1010];
const AT_ONCE = 25;
const tokenOf = (name: string): string => `a-token-of-${name}-0123456789`;
const bearer = (name: string) => ({ authorization: `Bearer ${tokenOf(name)}` });

describe('More quick tasks of one caller than a process with 256 MB of heap keeps', () => {
  let program: CrowdedProgram;
  let quiet: CrowdedProgram;

  afterEach(() => Promise.all([program.stop(), quiet.stop()]));

  async function start(environment: NodeJS.ProcessEnv): Promise<void> {
    program = await CrowdedProgram.start(environment);
    quiet = await CrowdedProgram.start(environment);
  }

  it('leave the result of another caller where it is (FAIR-03) (TASK-02)', async () => {
    const tokens = ['ada', 'bob'].map((subject) => ({ token: tokenOf(subject), subject }));
    await start({ TOKENS: JSON.stringify(tokens) });
    const [ada, bob] = ['ada', 'bob'].map((name) => publishedClient(program.url, { headers: bearer(name) }));
    const { taskId } = await bob!.create('work');
    expect(await bob!.reach(taskId)).toMatchObject({ status: 'completed' });
    let left = MANY;
    const press = async (): Promise<void> => {
      while (left-- > 0) await ada!.create('work');
    };
    const flood = () => Promise.all(Array.from({ length: AT_ONCE }, press));
    expectServed(...(await callBeside([program.port, quiet.port], flood, bearer('bob'))));
    expect(await bob!.get(taskId)).toMatchObject({ status: 'completed' });
  }, 240_000);

  it('leave those of strangers at other addresses what they have, and their turn (FAIR-03) (TASK-02)', async () => {
    await start({ PROXY: 'trusted', MOST: '1000' });
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const other = publishedClient(program.url, { headers: from('203.0.113.8') });
    const { taskId } = await other.create('work');
    expect(await other.reach(taskId)).toMatchObject({ status: 'completed' });
    let left = FEW;
    const press = async (): Promise<void> => {
      const session = await serviceClient(program.url, { headers: from('203.0.113.7') });
      while (left-- > 0) await session.call('work');
    };
    const flood = () => Promise.all(Array.from({ length: AT_ONCE }, press));
    const follow = async (): Promise<void> => {
      for (let count = 0; count < 50; count += 1) {
        await other.reach((await other.create('work'))['taskId']);
      }
    };
    const act = () => Promise.all([flood(), follow()]);
    expectServed(...(await callBeside([program.port, quiet.port], act, from('203.0.113.8'))));
    expect(await other.get(taskId)).toMatchObject({ status: 'completed' });
  }, 240_000);
});
