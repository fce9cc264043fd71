import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Arguments, Context, Tool, type McpContext } from 'nestjs-mcp';
import { delayWhen, from, of, timer } from 'rxjs';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { entriesOf, namesOf } from '../../support/clients/entries.js';
import { initialize, perRequest, type SessionClient } from '../../support/clients/json-rpc.js';

const TEXT = z.object({ text: z.string(), times: z.number().default(1) });

@Injectable()
class ReturningTools {
  @Tool({ description: 'Takes nothing' })
  greet(...received: unknown[]): string {
    return `hello ${JSON.stringify(received[0])}`;
  }

  @Tool({ name: 'repeat-text', description: 'Repeats', inputSchema: TEXT })
  repeat({ text, times }: z.infer<typeof TEXT>): string {
    return text.repeat(times);
  }

  @Tool({ description: 'Promises', inputSchema: TEXT })
  async promise(@Arguments('text') text: string, @Context() context: McpContext): Promise<string> {
    await Promise.resolve();
    return `${context.method} ${text}`;
  }

  @Tool({ description: 'Emits' })
  observe() {
    return from(['first', 'last']).pipe(delayWhen(() => timer(1)));
  }

  @Tool({ description: 'Emits nothing' })
  observeNothing() {
    return of();
  }
}

describe.each(ADAPTERS)('tools on %s', (adapter) => {
  let desk: RunningApp;
  let session: SessionClient;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [ReturningTools] });
    session = await initialize(desk.url);
  });

  afterAll(() => desk.close());

  const texts = async (name: string, given?: object) => {
    const params = { name, ...(given && { arguments: given }) };
    const answers = [
      await session.request('tools/call', params),
      await perRequest(desk.url).request('tools/call', params),
    ];
    return answers.map(({ result }) => result?.['content']);
  };
  const twice = (text: string) => [[{ type: 'text', text }], [{ type: 'text', text }]];

  it('lists tools in the order in which they are declared (CORE-03)', async () => {
    const { result } = await session.request('tools/list');
    const names = namesOf(result, 'tools');
    expect(names).toEqual(['greet', 'repeat-text', 'promise', 'observe', 'observeNothing']);
  });

  it('shows a tool that takes nothing with an object schema (CORE-03)', async () => {
    const { result } = await session.request('tools/list');
    const [greet] = entriesOf(result, 'tools');
    expect(greet?.inputSchema).toMatchObject({ type: 'object' });
  });

  it('calls a tool without arguments (CORE-03)', async () => {
    expect(await texts('greet')).toEqual(twice('hello {}'));
  });

  it('calls a tool with validated arguments and their defaults (CORE-03)', async () => {
    expect(await texts('repeat-text', { text: 'ab' })).toEqual(twice('ab'));
    expect(await texts('repeat-text', { text: 'ab', times: 2 })).toEqual(twice('abab'));
  });

  it('waits for a promise (CORE-03)', async () => {
    expect(await texts('promise', { text: 'x' })).toEqual(twice('tools/call x'));
  });

  it('takes the last value of an Observable as the result (CORE-03)', async () => {
    expect(await texts('observe')).toEqual(twice('last'));
  });

  it('says in a word that an Observable had no value (CORE-03) (CAT-03)', async () => {
    expect(await texts('observeNothing')).toEqual([
      [{ type: 'text', text: 'Done' }],
      [{ type: 'text', text: 'Done' }],
    ]);
  });

  it('keeps the type of the request id (CORE-01, CORE-03)', async () => {
    for (const id of ['text-id', '7', 7, 0, -1, '']) {
      const answer = await perRequest(desk.url).request('tools/call', { name: 'greet' }, { id });
      expect(answer.response?.id).toBe(id);
    }
  });

  it('answers ping and setLevel with nothing in the result (CORE-03)', async () => {
    expect((await session.request('ping')).result).toEqual({});
    expect((await session.request('logging/setLevel', { level: 'info' })).result).toEqual({});
  });

  it.each(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'])(
    'takes the log level %s (CORE-03)',
    async (level) => {
      expect((await session.request('logging/setLevel', { level })).result).toEqual({});
    },
  );
});
