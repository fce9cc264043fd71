import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Injectable, Query } from '@nestjs/common';
import { IsInt } from 'class-validator';
import {
  Arguments,
  Claims,
  Complete,
  Context,
  Prompt,
  ResourceTemplate,
  Tool,
  type McpContext,
} from 'nestjs-mcp';
import { z } from 'zod';
import { bootServer } from '../../support/applications/server.js';
import { initialize } from '../../support/clients/json-rpc.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { callTool } from './tool-text.js';

const Move = z.object({ from: z.string(), to: z.string() });

class Database {
  readonly name = 'of the application';
}

class Page {
  @IsInt()
  number!: number;
}

@Injectable()
class OpenTools {
  @Tool({ inputSchema: Move })
  move({ from, to }: z.infer<typeof Move>, @Context() { method }: McpContext) {
    return `${method}: from ${from} to ${to}`;
  }

  @Tool({ inputSchema: Move })
  defaulted({ from }: Partial<z.infer<typeof Move>> = {}, @Claims('sub') caller = 'nobody') {
    return `${caller} from ${String(from)}`;
  }

  @ResourceTemplate({ uriTemplate: 'desk://shelves/{id}' })
  shelf({ id }: { id: string }, @Claims('sub') caller = 'nobody') {
    return `${id} of ${caller}`;
  }

  @Prompt({ arguments: [{ name: 'town' }] })
  greet({ town }: { town: string }, @Context() _context: McpContext) {
    return `Greet ${town}`;
  }

  @Complete({ prompt: 'greet', argument: 'town' })
  complete({ value }: { value: string }, @Context() _context: McpContext) {
    return [`${value}!`];
  }
}

@Controller()
class UnfilledTools {
  @Tool({ inputSchema: Move })
  context(@Arguments() _move: object, context?: McpContext) {
    return typeof context;
  }

  @Tool({ inputSchema: Move })
  part(from: string, @Claims('sub') _caller?: string) {
    return typeof from;
  }

  @Tool({ inputSchema: Move })
  dto(@Arguments() _move: object, page: Page) {
    return typeof page;
  }

  @Tool({ inputSchema: Move })
  service(@Arguments() _move: object, database?: Database) {
    return typeof database;
  }

  @Tool({ inputSchema: Move })
  defaulted(@Arguments() _move: object, limit = 3) {
    return typeof limit;
  }

  @Get('route')
  @Tool({ inputSchema: Move })
  route(@Query('from') _from: string, limit: number) {
    return typeof limit;
  }
}

async function useOpen<T>(use: (url: string) => Promise<T>): Promise<T> {
  const desk = await bootServer({ providers: [OpenTools] });
  try {
    return await use(desk.url);
  } finally {
    await desk.close();
  }
}

describe('A parameter without a decorator, beside others that have one', () => {
  it.each([
    ['move', 'tools/call: from a to b'],
    ['defaulted', 'nobody from a'],
  ])('gets the arguments if it is the first of the tool "%s" (NEST-02)', async (name, text) => {
    const answer = await useOpen((url) => callTool(url, name, { from: 'a', to: 'b' }));
    expect(answer).toMatchObject({ isError: false, text });
  });

  it('gets those of a template, a prompt and a completion (NEST-02)', async () => {
    const answers = await useOpen(async (url) => {
      const session = await initialize(url);
      return [
        await session.request('resources/read', { uri: 'desk://shelves/7' }),
        await session.request('prompts/get', { name: 'greet', arguments: { town: 'Ulm' } }),
        await session.request('completion/complete', {
          ref: { type: 'ref/prompt', name: 'greet' },
          argument: { name: 'town', value: 'Ul' },
        }),
      ];
    });
    expect(answers.map(({ result }) => result)).toMatchObject([
      { contents: [{ text: '7 of nobody' }] },
      { messages: [{ content: { text: 'Greet Ulm' } }] },
      { completion: { values: ['Ul!'] } },
    ]);
  });

  it('is warned of if nothing fills it (NEST-02)', async () => {
    const log = new RecordedLog();
    const desk = await bootServer({ controllers: [UnfilledTools], nest: { logger: log } });
    await desk.close();
    expect(log.find('warn')).toEqual([
      expect.stringContaining('"UnfilledTools.context" has no decorator on the parameter at index [1]'),
      expect.stringContaining('"UnfilledTools.part" expects a String, but receives nothing'),
      expect.stringContaining('"UnfilledTools.dto" has no decorator on the parameter at index [1]'),
    ]);
  });
});
