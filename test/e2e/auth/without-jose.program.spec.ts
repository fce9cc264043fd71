import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InstalledPackage } from '../../support/programs/installed-package.js';
import { initialize } from '../../support/clients/json-rpc.js';
import { NodeProgram } from '../../support/programs/node-program.js';

const PROGRAM = fileURLToPath(new URL('../../../.build/test/programs/bearer-app.js', import.meta.url));

const TOKEN = 'the-fixed-token-of-the-desk';

describe('a server where "jose" is not installed', () => {
  let installed: InstalledPackage;
  let program: string;

  beforeAll(() => {
    installed = new InstalledPackage('jose');
    program = installed.add(PROGRAM);
  });

  afterAll(() => installed.remove());

  it('takes fixed tokens: no JWT code is loaded for them (AUTH-03)', async () => {
    const desk = new NodeProgram(program, { TOKEN });
    await desk.prints('ready ');
    const url = /ready (\S+)/.exec(desk.stdout)?.[1] ?? '';
    const session = await initialize(url, { headers: { authorization: `Bearer ${TOKEN}` } });
    const { result } = await session.request('tools/call', { name: 'ping' });
    expect(result).toMatchObject({ content: [{ text: 'pong' }] });
    const other = initialize(url, { headers: { authorization: `Bearer ${TOKEN}x` } });
    await expect(other).rejects.toThrow('was answered with 401');
    expect(await desk.stop('SIGUSR2')).toBe(0);
  });

  it('does not start where tokens are JWTs, which shows that it is not there (AUTH-03)', async () => {
    const desk = new NodeProgram(program, { ISSUER: 'https://login.example.com' });
    expect(await desk.exitCode()).toBe(1);
    expect(desk.stderr).toContain("Cannot find package 'jose'");
  });
});
