import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InstalledPackage } from '../../support/programs/installed-package.js';
import { NodeProgram } from '../../support/programs/node-program.js';
import { bootShop, type RunningShop } from './shop.app.js';

const PROGRAM = fileURLToPath(new URL('../../../.build/test/programs/client-app.js', import.meta.url));

describe('An application with injected clients', () => {
  let server: RunningShop;

  beforeAll(async () => {
    server = await bootShop();
  });
  afterAll(() => server.close());

  it('ends by itself once it is closed, with nothing left that keeps it (CLI-18)', async () => {
    const program = new NodeProgram(PROGRAM, { URL: server.url });
    expect(await program.exitCode(10_000)).toBe(0);
    expect(program.stdout).toMatch(/^runs\nhas [1-9] tools\n$/);
    expect(program.stderr).toBe('');
  });

  it('runs where the official client is not installed, and says how to install it when it is needed (CLI-18)', async () => {
    const installed = new InstalledPackage('@modelcontextprotocol');
    const program = new NodeProgram(installed.add(PROGRAM), { URL: server.url });
    expect(await program.exitCode(10_000)).toBe(0);
    installed.remove();
    expect(program.stdout).toBe(
      'runs\nfails: The client "shop" requires the package "@modelcontextprotocol/client": run "npm install @modelcontextprotocol/client"\n',
    );
  });
});
