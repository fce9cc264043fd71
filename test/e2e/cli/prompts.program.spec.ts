import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Arguments, Prompt } from 'nestjs-mcp';
import { z } from 'zod';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { runHere } from '../../support/programs/run-here.js';

const Ticket = z.object({ id: z.string().describe('Which one'), tone: z.string().optional() });

@Injectable()
class DeskPrompts {
  @Prompt({ name: 'triage', description: 'Sorts a\nticket', arguments: Ticket })
  triage(@Arguments() { id, tone = 'calm' }: z.infer<typeof Ticket>) {
    return {
      messages: [
        { role: 'user' as const, content: { type: 'text' as const, text: `Sort ${id}, ${tone}` } },
        { role: 'assistant' as const, content: { type: 'text' as const, text: 'Gladly' } },
      ],
    };
  }
}

describe('nestjs-mcp-cli prompts', () => {
  let desk: RunningApp | undefined;

  afterEach(async () => {
    await desk?.close();
    desk = undefined;
  });

  const run = async (...args: readonly string[]) => {
    desk ??= await bootServer({ providers: [DeskPrompts] });
    return runHere(['prompts', desk.url, ...args]);
  };

  it('lists what there is and what it takes (CLI-20)', async () => {
    const { code, stdout, stderr } = await run();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toEqual([
      'triage  Sorts a ticket',
      '  id    required  Which one',
      '  tone  optional',
      '',
    ]);
  });

  it('gets one with its arguments, and says who says what (CLI-20)', async () => {
    const { code, stdout } = await run('triage', 'id=T-1=2', 'tone=merry');
    expect([code, stdout]).toEqual([0, 'user: Sort T-1=2, merry\n\nassistant: Gladly\n']);
  });

  it('prints lists and results as the server has them (CLI-20)', async () => {
    expect(JSON.parse((await run('--json')).stdout)).toMatchObject([{ name: 'triage' }]);
    expect(JSON.parse((await run('triage', 'id=1', '--json')).stdout)).toMatchObject({
      messages: [{ role: 'user' }, { role: 'assistant' }],
    });
  });

  it.each([
    [['unknown'], 'The server has no prompt "unknown": it has "triage"'],
    [['triage'], 'The argument "id" is required'],
    [['triage', 'id=1', 'size=2'], 'The prompt has no argument "size": it has "id", "tone"'],
    [['triage', 'id=1', 'id=2'], 'The argument "id" must be a single value, but was passed several times'],
    [['triage', 'id'], 'Argument 1 must be of the form "key=value"'],
  ])('ends with 2 for %j, and says why (CLI-20)', async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout, stderr.split('\n')[0]]).toEqual([2, '', message]);
  });

  it('says so where there are none (CLI-20)', async () => {
    desk = await bootServer();
    expect(await run()).toMatchObject({ code: 0, stdout: '', stderr: 'The server has no prompts\n' });
  });
});
