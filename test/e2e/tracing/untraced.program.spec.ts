import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InstalledPackage } from '../../support/programs/installed-package.js';
import { AUDIENCE, TestIssuer } from '../../support/authorization/issuer.js';
import { initialize } from '../../support/clients/json-rpc.js';
import { NodeProgram } from '../../support/programs/node-program.js';

const PROGRAM = fileURLToPath(new URL('../../../.build/test/programs/traced-app.js', import.meta.url));

describe('a process of a server with "auth.jwt"', () => {
  let issuer: TestIssuer;

  beforeAll(async () => {
    issuer = await TestIssuer.start();
  });

  afterAll(() => issuer.stop());

  const environment = () => ({ ISSUER: issuer.url, AUDIENCE });

  /** Lets a caller with a token call the tool, and gives what the program says then. */
  async function callAndAsk(program: NodeProgram): Promise<string> {
    await program.prints('ready ');
    const headers = { authorization: `Bearer ${await issuer.token()}` };
    const session = await initialize(/ready (\S+)/.exec(program.stdout)?.[1] ?? '', { headers });
    const { result } = await session.request('tools/call', { name: 'ping' });
    expect(result).toMatchObject({ content: [{ text: 'pong' }] });
    return askLoaded(program);
  }

  async function askLoaded(program: NodeProgram): Promise<string> {
    expect(await program.stop('SIGUSR2')).toBe(0);
    return program.stdout;
  }

  it('loads nothing of OpenTelemetry without a tracer provider (TRACE-01)', async () => {
    const program = new NodeProgram(PROGRAM, environment());
    expect(await callAndAsk(program)).toMatch(/loaded 0 of \d\d/);
  });

  it('loads it where there is a tracer provider (TRACE-01)', async () => {
    const program = new NodeProgram(PROGRAM, { ...environment(), TRACED: 'yes' });
    await program.prints('ready ');
    expect(await askLoaded(program)).toMatch(/loaded [1-9]\d* of \d\d/);
  });

  describe('where OpenTelemetry is not installed', () => {
    let installed: InstalledPackage;
    let copy: string;

    beforeAll(() => {
      installed = new InstalledPackage('@opentelemetry');
      copy = installed.add(PROGRAM);
    });

    afterAll(() => installed.remove());

    it('serves without a tracer provider (TRACE-01)', async () => {
      expect(await callAndAsk(new NodeProgram(copy, environment()))).toContain('loaded 0');
    });

    it('does not start with one, and says what to install (TRACE-01)', async () => {
      const program = new NodeProgram(copy, { ...environment(), TRACED: 'yes' });
      expect(await program.exitCode()).toBe(1);
      expect(program.stderr).toContain(
        'The MCP option "auth.jwt.tracerProvider" needs a package that is not installed: run "npm install @opentelemetry/api"',
      );
    });
  });
});
