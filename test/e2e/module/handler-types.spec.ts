import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Body,
  Controller,
  Get,
  Query,
  Injectable,
  Post,
  UseInterceptors,
  type CallHandler,
  type NestInterceptor,
} from '@nestjs/common';
import { IsInt, IsOptional, IsString, Min } from 'class-validator';
import { Arguments, Context, Prompt, Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { entriesOf } from '../../support/clients/entries.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { callTool, listedTool } from '../../support/clients/tools.js';
import { RecordedLog } from '../../support/records/recorded-log.js';

class TicketDto {
  @IsString()
  title!: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  priority?: number;

  describe(): string {
    return `${this.title} of ${this.priority ?? 'no'} priority`;
  }
}

/** As `createZodDto()` of nestjs-zod makes one. */
class ZodTicketDto {
  static readonly schema = z.object({
    title: z.string(),
    priority: z.int().default(3),
    due: z.date().optional(),
  });
  static readonly isZodDto = true;
  title!: string;
  priority!: number;
}

@Injectable()
class Nothing implements NestInterceptor {
  intercept(_context: unknown, next: CallHandler) {
    return next.handle();
  }
}

@Injectable()
class TicketTools {
  @Tool()
  create(ticket: TicketDto): string {
    return ticket.describe();
  }

  @Tool()
  createWithContext(ticket: TicketDto, context: McpContext): string {
    return `${ticket.describe()} in ${context.method}`;
  }

  @Tool()
  createDecorated(@Context() context: McpContext, @Arguments() ticket: TicketDto): string {
    return `${ticket.describe()} in ${context.method}`;
  }

  @Tool()
  createBeside(ticket: TicketDto, @Context() context: McpContext): string {
    return `${ticket.describe()} in ${context.method}`;
  }

  @UseInterceptors(Nothing)
  @Tool()
  createChained(ticket: TicketDto, @Context() context: McpContext): string {
    return `${ticket.describe()} in ${context.method}`;
  }

  @Tool()
  createZod(ticket: ZodTicketDto): string {
    return JSON.stringify(ticket);
  }

  @Tool({ inputSchema: z.object({ other: z.string() }) })
  explicit(given: TicketDto): string {
    return JSON.stringify(given);
  }

  @Tool({ outputSchema: ZodTicketDto })
  give(): object {
    return { title: 'Fire', priority: 1, due: new Date(0) };
  }

  @Prompt()
  answer(ticket: TicketDto): string {
    return `Answer ${ticket.describe()}`;
  }
}

@Controller('tickets')
class TicketController {
  @Post()
  @Tool({ name: 'post_ticket' })
  post(@Body() ticket: TicketDto): string {
    return ticket.title;
  }

  @Get()
  @Tool({ name: 'get_tickets' })
  list(@Query() { title }: TicketDto, @Query('priority') priority?: number): string {
    return `${title} ${priority ?? ''}`;
  }
}

const TICKET = {
  type: 'object',
  properties: { title: { type: 'string' }, priority: { type: 'integer', minimum: 1 } },
  required: ['title'],
  additionalProperties: false,
};

describe.each(ADAPTERS)('the type of a handler on %s', (adapter) => {
  let desk: RunningApp;
  const log = new RecordedLog();

  beforeAll(async () => {
    desk = await bootServer({
      adapter,
      providers: [TicketTools],
      controllers: [TicketController],
      nest: { logger: log, abortOnError: false },
    });
  });

  afterAll(() => desk.close());

  it.each([
    'create',
    'createWithContext',
    'createDecorated',
    'createBeside',
    'createChained',
    'post_ticket',
    'get_tickets',
  ])('is the schema of its arguments: %s (NEST-02)', async (name) => {
    expect((await listedTool(desk.url, name))['inputSchema']).toEqual(TICKET);
    expect(await callTool(desk.url, name, { title: 5 })).toMatch(/^error: title: must be a string/);
    expect(await callTool(desk.url, name, { title: 'Fire' })).toMatch(/^Fire/);
  });

  it.each(['createWithContext', 'createDecorated', 'createBeside', 'createChained'])(
    'leaves further parameters what they are: %s (NEST-02)',
    async (name) => {
      expect(await callTool(desk.url, name, { title: 'Fire', priority: 1 })).toBe(
        'Fire of 1 priority in tools/call',
      );
    },
  );

  it('may be a class with a schema in it, as nestjs-zod makes them (NEST-02, CAT-04)', async () => {
    expect((await listedTool(desk.url, 'createZod'))['inputSchema']).toMatchObject({
      properties: { title: { type: 'string' }, priority: { default: 3 }, due: { format: 'date-time' } },
    });
    expect(await callTool(desk.url, 'createZod', { title: 'Fire' })).toBe('{"title":"Fire","priority":3}');
    expect(await callTool(desk.url, 'createZod', {})).toMatch(/^error: title: is required but missing/);
    expect(JSON.parse(await callTool(desk.url, 'give', {}))).toEqual({
      title: 'Fire',
      priority: 1,
      due: '1970-01-01T00:00:00.000Z',
    });
  });

  it('does not count where a schema is given (NEST-02)', async () => {
    expect((await listedTool(desk.url, 'explicit'))['inputSchema']).toMatchObject({ required: ['other'] });
    expect(await callTool(desk.url, 'explicit', { other: 'x' })).toBe('{"other":"x"}');
  });

  it('is what the arguments of a prompt are (NEST-02)', async () => {
    const { result } = await perRequest(desk.url).request('prompts/list');
    expect(entriesOf(result, 'prompts')[0]?.['arguments']).toEqual([
      { name: 'title', required: true },
      { name: 'priority', required: false },
    ]);
    const answer = await perRequest(desk.url).request('prompts/get', {
      name: 'answer',
      arguments: { title: 'Fire' },
    });
    expect(entriesOf(answer.result, 'messages')[0]).toMatchObject({
      content: { text: 'Answer Fire of no priority' },
    });
  });

  it('is not warned of where it says what there is (NEST-02)', () => {
    expect(log.find('warn')).toEqual([]);
  });
});
