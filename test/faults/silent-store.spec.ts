import { afterEach, describe, expect, it } from '@jest/globals';
import { publishedClient } from '../support/clients/task-wires.js';
import { CrowdedProgram } from './crowded-program.js';
import { callBeside, expectServed } from './second-caller.js';

const CALLS = 200;
/** A store may take ten seconds, by default. */
const PATIENCE_MS = 30_000;
const TASK_ID = { taskId: 'a-task-that-nobody-knows' };

describe('A store of tasks that answers nothing, with 256 MB of heap', () => {
  let program: CrowdedProgram;
  let quiet: CrowdedProgram;

  afterEach(() => Promise.all([program.stop(), quiet.stop()]));

  it('costs whoever asks it an error in time, and others nothing (FAIR-05)', async () => {
    program = await CrowdedProgram.start({ STORE: 'silent' });
    quiet = await CrowdedProgram.start({ STORE: 'silent' });
    const { client } = publishedClient(program.url);
    const ask = async (_: unknown, index: number): Promise<unknown> => {
      const call =
        index % 2 === 0
          ? client.start('tasks/get', TASK_ID)
          : client.start('tools/call', { name: 'work', arguments: {} });
      const { error, result } = await call.answer(PATIENCE_MS);
      return error?.code ?? (result as { isError?: boolean } | undefined)?.isError;
    };
    let outcomes: unknown[] = [];
    const served = await callBeside([program.port, quiet.port], async () => {
      outcomes = await Promise.all(Array.from({ length: CALLS }, ask));
    });
    expectServed(...served);
    expect(outcomes.filter((outcome) => outcome !== -32603 && outcome !== true)).toEqual([]);
  });
});
