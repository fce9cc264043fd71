import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { NodeProgram } from '../../support/programs/node-program.js';

const BUILD = fileURLToPath(new URL('../../../.build/sample/08-telemetry', import.meta.url));

describe('npm run demo:telemetry', () => {
  it('prints spans, metrics and an audit, and ends by itself (OPS-01) (OPS-02) (OPS-03)', async () => {
    const demo = new NodeProgram(`${BUILD}/demo.js`);
    expect(await demo.exitCode()).toBe(0);
    expect(demo.stderr).toBe('');
    for (const span of [
      'CLIENT tools/call find',
      'SERVER tools/call find',
      'INTERNAL SELECT tickets',
      'CLIENT elicitation/create',
      'SERVER elicitation/create',
      'SERVER tools/call open ERROR',
    ]) {
      expect(demo.stdout).toContain(span);
    }
    expect(demo.stdout).toMatch(/^\{"id":.*"method":"tools\/call","target":"find".*"outcome":"ok"/m);
    expect(demo.stdout).toContain('gen_ai.tool.call.arguments={"word":"string"}');
    expect(demo.stdout).toMatch(/mcp\.server\.operation\.duration \d+ times/);
    expect(demo.stdout).toContain('nestjs_mcp.sessions 0 {session} nestjs_mcp.server=default');
  });
});

describe('npm run start:telemetry', () => {
  it('prints where it is, and ends cleanly (MOD-12)', async () => {
    const desk = new NodeProgram(`${BUILD}/main.js`, { PORT: '0' });
    await desk.prints('npm run demo:telemetry');
    expect(desk.stdout).toMatch(/serves MCP at http:\/\/127\.0\.0\.1:\d+\/mcp/);
    expect(await desk.stop()).toBe(0);
    expect(desk.stderr).toBe('');
  });

  it('says that the port is not one', async () => {
    const wrong = new NodeProgram(`${BUILD}/main.js`, { PORT: '70000' });
    expect(await wrong.exitCode()).toBe(1);
    expect(wrong.stderr).toContain('cannot start on the port "70000"');
  });
});
