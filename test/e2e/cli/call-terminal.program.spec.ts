import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { PseudoTerminal } from '../../support/programs/pseudo-terminal.js';

const FILE = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url));
const Guest = z.object({ name: z.string().meta({ title: 'Name' }) });

@Injectable()
class PoliteTools {
  /** What users did with the question of `greet`. */
  readonly answers: string[] = [];

  @Tool()
  async count(_arguments: object, context: McpContext) {
    context.progress(1, 4, 'first');
    context.progress(2, 4, 'second');
    return 'counted';
  }

  @Tool()
  async greet(_arguments: object, context: McpContext) {
    const answer = await context.elicit({ message: 'Who are you?', schema: Guest });
    this.answers.push(answer.action);
    return answer.action === 'accept' ? `Hello, ${answer.content.name}` : `The user said ${answer.action}`;
  }
}

describe('nestjs-mcp-cli call at a terminal', () => {
  let desk: RunningApp;
  let terminal: PseudoTerminal | undefined;

  beforeAll(async () => {
    desk = await bootServer({ providers: [PoliteTools] });
  });

  afterEach(async () => {
    await terminal?.end();
    terminal = undefined;
  });

  afterAll(async () => {
    await desk.close();
  });

  const call = (tool: string, environment?: NodeJS.ProcessEnv) =>
    (terminal = new PseudoTerminal([process.execPath, FILE, 'call', desk.url, tool], environment));

  it('draws a bar in its place, and takes it away before the result (CLI-20)', async () => {
    const { shown } = await ended(call('count'));
    expect(shown).toContain('\r\u001b[K[######------------------]  25 %  1/4  first');
    expect(shown).toContain('\r\u001b[K[############------------]  50 %  2/4  second');
    expect(shown.endsWith('\r\u001b[Kcounted\r\n')).toBe(true);
  });

  it('writes lines where the terminal says that it cannot do more (CLI-20)', async () => {
    const { shown } = await ended(call('count', { TERM: 'dumb' }));
    expect(shown).toBe('progress 1/4: first\r\nprogress 2/4: second\r\ncounted\r\n');
  });

  it('asks without being told to, as a person sits there (CLI-20)', async () => {
    const greeting = call('greet');
    await greeting.shows('Name: ');
    greeting.type('Ada\r');
    await greeting.shows('Send this? [Y/n] ');
    greeting.type('\r');
    const { shown, code } = await ended(greeting);
    expect(shown).toContain('The server asks: Who are you?');
    expect([code, shown.endsWith('Hello, Ada\r\n')]).toEqual([0, true]);
  });

  it('takes the end of the input for a closed dialogue (CLI-20)', async () => {
    const greeting = call('greet');
    await greeting.shows('Name: ');
    greeting.type('\u0004');
    const { shown, code } = await ended(greeting);
    expect([code, shown.endsWith('The user said cancel\r\n')]).toEqual([0, true]);
  });

  it('ends where the user interrupts it in the midst of a question, which is not answered (CLI-20)', async () => {
    const { answers } = desk.app.get(PoliteTools);
    const before = [...answers];
    const greeting = call('greet');
    await greeting.shows('Name: ');
    greeting.type('\u0003');
    const { shown, code } = await ended(greeting);
    expect(code).not.toBe(0);
    expect(shown).not.toContain('The user said');
    expect(answers).toEqual(before);
  });
});

async function ended(terminal: PseudoTerminal) {
  const code = await terminal.exitCode();
  return { code, shown: terminal.shown };
}
