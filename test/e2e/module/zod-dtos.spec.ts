import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Injectable, Param, Post } from '@nestjs/common';
import { Tool } from 'nestjs-mcp';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { callTool, listedTool } from '../../support/clients/tools.js';

/** Makes a class as `createZodDto()` of nestjs-zod 5 does: that package has no release for Nest 12 yet. */
function createZodDto<Schema extends z.ZodType<object>>(schema: Schema) {
  class AugmentedZodDto {
    static readonly isZodDto = true;
    static readonly schema = schema;

    static create(input: unknown) {
      return schema.parse(input);
    }

    static _OPENAPI_METADATA_FACTORY() {
      return { title: { type: 'string', required: true } };
    }
  }
  return AugmentedZodDto as unknown as (new () => z.infer<Schema>) & { readonly schema: Schema };
}

class TicketDto extends createZodDto(
  z.object({ title: z.string().min(3).describe('What it is about'), priority: z.int().default(3) }),
) {}

@Controller('tickets')
class TicketController {
  @Post()
  @Tool()
  create(@Body() ticket: TicketDto) {
    return ticket;
  }

  @Post(':id')
  @Tool({ inputSchema: z.object({ id: z.string(), ...TicketDto.schema.shape }) })
  change(@Param('id') id: string, @Body() ticket: TicketDto) {
    return { id, ticket };
  }
}

@Injectable()
class TicketTools {
  @Tool({ inputSchema: TicketDto, outputSchema: TicketDto })
  echo(ticket: TicketDto) {
    return ticket;
  }
}

describe.each(ADAPTERS)('A DTO class of zod, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, controllers: [TicketController], providers: [TicketTools] });
  });

  afterAll(() => desk.close());

  it.each(['create', 'echo'])('is the schema of a parameter, and an option: %s (APP-04)', async (name) => {
    const { inputSchema } = await listedTool(desk.url, name);
    expect(inputSchema).toMatchObject({
      properties: {
        title: { type: 'string', minLength: 3, description: 'What it is about' },
        priority: { type: 'integer', default: 3 },
      },
      required: ['title'],
    });
    expect(await callTool(desk.url, name, { title: 'no' })).toMatch(/^error: title: Too small/);
    expect(JSON.parse(await callTool(desk.url, name, { title: 'Fire' }))).toEqual({
      title: 'Fire',
      priority: 3,
    });
  });

  it('stands beside a part of the path (APP-04)', async () => {
    const text = await callTool(desk.url, 'change', { id: '7', title: 'Fire' });
    expect(JSON.parse(text)).toEqual({ id: '7', ticket: { title: 'Fire', priority: 3 } });
  });
});
