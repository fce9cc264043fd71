import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type DtoClass, type StandardSchema } from 'nestjs-mcp';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { callTool, listedTool } from '../../support/clients/tools.js';

type CreateZodDto = (schema: StandardSchema) => DtoClass & { readonly Output: DtoClass };

/** It knows no other release of Nest yet, and is installed beside that one. */
const PACKAGE = '../../nest-11/node_modules/nestjs-zod/dist/index.mjs';
const describeOnNest11 = process.env['NEST'] === '11' ? describe : describe.skip;

const Ticket = z.object({ title: z.string().min(3), priority: z.int().default(3), due: z.date().optional() });

function createTools(createZodDto: CreateZodDto) {
  class TicketDto extends createZodDto(Ticket) {}

  @Injectable()
  class ZodTools {
    @Tool()
    create(ticket: TicketDto): string {
      return JSON.stringify(ticket);
    }

    @Tool({ inputSchema: TicketDto, outputSchema: TicketDto.Output })
    echo(ticket: object): object {
      return ticket;
    }
  }
  return ZodTools;
}

describeOnNest11.each(ADAPTERS)('a class of nestjs-zod on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    const { createZodDto } = (await import(PACKAGE)) as { createZodDto: CreateZodDto };
    desk = await bootServer({ adapter, providers: [createTools(createZodDto)] });
  });

  afterAll(() => desk.close());

  it.each(['create', 'echo'])('is its schema: %s (CAT-04, NEST-02)', async (name) => {
    const { inputSchema } = await listedTool(desk.url, name);
    expect(inputSchema).toMatchObject({
      type: 'object',
      properties: {
        title: { type: 'string', minLength: 3 },
        priority: { type: 'integer', default: 3 },
        due: { type: 'string', format: 'date-time' },
      },
      required: ['title'],
    });
    expect(await callTool(desk.url, name, { title: 'no' })).toMatch(/^error: title: Too small/);
    const due = '2026-01-31T09:30:00.000Z';
    expect(JSON.parse(await callTool(desk.url, name, { title: 'Fire', due }))).toEqual({
      title: 'Fire',
      priority: 3,
      due,
    });
  });

  it('is what comes out of its schema in a result (CAT-04)', async () => {
    const { outputSchema } = await listedTool(desk.url, 'echo');
    expect(outputSchema).toMatchObject({ required: ['title', 'priority'] });
  });
});
