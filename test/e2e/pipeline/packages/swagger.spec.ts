import { Body, Controller, Param, ParseIntPipe, Patch, UsePipes, ValidationPipe } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiProperty,
  ApiTags,
  DocumentBuilder,
  PartialType,
  SwaggerModule,
} from '@nestjs/swagger';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IsInt, IsString } from 'class-validator';
import { Tool } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { callTool } from '../tool-text.js';

class TicketDto {
  @ApiProperty({ description: 'What is broken' })
  @IsString()
  title!: string;

  @ApiProperty()
  @IsInt()
  size!: number;
}

class ChangesDto extends PartialType(TicketDto) {}

@ApiTags('tickets')
@ApiBearerAuth()
@Controller('tickets')
@UsePipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true }))
class TicketController {
  @Patch(':id')
  @ApiOperation({ summary: 'Changes a ticket' })
  @ApiParam({ name: 'id', type: Number })
  @ApiOkResponse({ type: TicketDto })
  @Tool({
    name: 'change_ticket',
    inputSchema: {
      type: 'object',
      properties: { id: { type: 'integer' }, title: {}, size: {} },
      required: ['id'],
    },
  })
  change(@Param('id', ParseIntPipe) id: number, @Body() changes: ChangesDto) {
    return { id, ...changes };
  }
}

describe.each(ADAPTERS)('@nestjs/swagger on handlers, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, controllers: [TicketController] });
  });

  afterAll(() => desk.close());

  it('documents a route that is a tool as well (NEST-01)', () => {
    const { paths } = SwaggerModule.createDocument(desk.app, new DocumentBuilder().build());
    expect(paths['/tickets/{id}']?.patch).toMatchObject({ summary: 'Changes a ticket', tags: ['tickets'] });
  });

  it('has a mapped type check the body of the tool as that of the route (NEST-01)', async () => {
    const { text } = await callTool(desk.url, 'change_ticket', { id: 7, title: 'Lamp' });
    expect(JSON.parse(text)).toEqual({ id: 7, title: 'Lamp' });
    const refused = await callTool(desk.url, 'change_ticket', { id: 7, size: 'big' });
    expect(refused).toMatchObject({ isError: true, text: 'size must be an integer number' });
    const routed = await fetch(`${desk.origin}/tickets/7`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ size: 'big' }),
    });
    expect(routed.status).toBe(400);
  });
});
