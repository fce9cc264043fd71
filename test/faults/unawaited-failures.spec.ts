import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { perRequest } from '../support/clients/json-rpc.js';
import { until } from '../support/until.js';
import {
  readText,
  startFaulty,
  startPipe,
  type HttpServer,
  type DuplexServer,
  type WireClient,
} from './faulty-wires.js';

const WAYS = ['promise', 'timer'];
const FAILURE = 'nobody awaits this';
const ECHO = { name: 'echo', arguments: { text: 'alive' } };

const call = (how: string) => ({ name: 'forget', arguments: { how } });

describe('A failure in a promise or a timer that no handler awaits', () => {
  let http: readonly HttpServer[];
  let lenient: HttpServer;
  let pipe: DuplexServer;

  beforeAll(async () => {
    const lenience = { POLICY: 'go on' };
    [pipe, lenient, ...http] = await Promise.all([
      startPipe(lenience),
      startFaulty(lenience),
      ...WAYS.map(() => startFaulty()),
    ]);
  });

  afterAll(async () => {
    await Promise.all([lenient, ...http].map(({ program }) => program.stop('SIGKILL')));
    await pipe.stop();
  });

  it.each(WAYS)('of a %s ends the process as Node has it, and is shown (SAFE-04)', async (how) => {
    const { program, url } = http[WAYS.indexOf(how)] as HttpServer;
    perRequest(url).start('tools/call', call(how));
    expect(await program.exitCode()).toBe(1);
    expect(program.stderr).toContain(FAILURE);
  });

  it('is for the application to decide on: its process goes on (SAFE-04)', async () => {
    const { program, url } = lenient;
    const seen = await goOn(perRequest(url), () => program.stderr);
    expect(seen).toEqual({ answers: ['answered', 'answered', 'alive'], failures: WAYS.length });
  });

  it('is treated no other way over stdio (SAFE-04) (STDIO-01)', async () => {
    const seen = await goOn(pipe.client, () => pipe.stderr);
    expect(seen).toEqual({ answers: ['answered', 'answered', 'alive'], failures: WAYS.length });
  });
});

/** Makes calls that leave failures behind, waits until these are shown, and calls again. */
async function goOn(client: WireClient, readErrors: () => string) {
  const answers: string[] = [];
  for (const how of WAYS) answers.push(readText(await client.request('tools/call', call(how))));
  const find = () => readErrors().match(/went on after .*nobody awaits this/g) ?? [];
  await until(() => find().length >= WAYS.length, 'the failures to be shown');
  answers.push(readText(await client.request('tools/call', ECHO)));
  return { answers, failures: find().length };
}
