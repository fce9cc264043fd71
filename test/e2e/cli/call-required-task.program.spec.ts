import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Tool } from 'nestjs-mcp';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { NodeProgram } from '../../support/programs/node-program.js';
import { runHere } from '../../support/programs/run-here.js';

const OTHERS = fileURLToPath(new URL('../../../.build/test/programs/others/tool-server.js', import.meta.url));
const COMMAND = ['--', process.execPath, OTHERS];

@Injectable()
class Oven {
  @Tool({ task: 'required', pollIntervalMs: 20 })
  bake() {
    return 'baked';
  }
}

describe('nestjs-mcp-cli call of a tool that only serves tasks', () => {
  let desk: RunningApp | undefined;
  let program: NodeProgram | undefined;

  afterEach(async () => {
    await desk?.close();
    await program?.stop();
    desk = undefined;
    program = undefined;
  });

  it('asks for a task, and follows it to its result (2025-11-25, CLI-20)', async () => {
    const { code, stdout, stderr } = await runHere(['call', 'bake', ...COMMAND]);
    expect([code, stdout]).toEqual([0, 'baked of rye\n']);
    expect(stderr).toMatch(/task \S+: completed/);
  });

  it('answers what it asks while its result is awaited (2025-11-25, CLI-20)', async () => {
    const call = ['call', 'bake', 'isAsking=true', '--interactive', ...COMMAND];
    const { code, stdout, stderr } = await runHere(call, { input: 'wheat\n\n' });
    expect([code, stdout]).toEqual([0, 'baked of wheat\n']);
    expect(stderr).toContain('The server asks: Of what?');
  });

  it('does so over HTTP+SSE (CLI-20)', async () => {
    program = new NodeProgram(OTHERS, { TRANSPORT: 'sse' });
    await program.prints('/sse');
    const [url = ''] = /http\S+/.exec(program.stdout) ?? [];
    expect(await runHere(['call', url, 'bake'])).toMatchObject({ code: 0, stdout: 'baked of rye\n' });
  });

  it.each([
    ['of 2026-07-28', {}],
    ['that keeps no sessions', { stateless: true }],
  ])('follows the task of a server %s (CLI-20)', async (_, options) => {
    desk = await bootServer({ options: { tasks: true, ...options }, providers: [Oven] });
    const { code, stdout, stderr } = await runHere(['call', desk.url, 'bake']);
    expect([code, stdout]).toEqual([0, 'baked\n']);
    expect(stderr).toMatch(/task \S+: completed/);
  });
});
