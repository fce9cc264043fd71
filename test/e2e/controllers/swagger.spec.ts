import { Body, Controller, Get, Post, Put, Query, Req } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiHeader,
  ApiProperty,
  ApiPropertyOptional,
  ApiQuery,
  getSchemaPath,
} from '@nestjs/swagger';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { McpControllersModule, ToolController } from 'nestjs-mcp/controllers';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { callTool, listedTool } from '../../support/clients/tools.js';

class Search {
  @ApiPropertyOptional({ description: 'Words in the name' })
  @IsOptional()
  @IsString()
  words?: string;

  /** Only swagger describes it. */
  @ApiPropertyOptional({ type: Number, description: 'The page' })
  page?: number;
}

class Card {
  @ApiProperty({ enum: ['card'] })
  kind!: string;

  @ApiProperty()
  digits!: string;
}

class Transfer {
  @ApiProperty({ enum: ['transfer'] })
  kind!: string;

  @IsInt()
  account!: number;
}

interface PayRequest {
  readonly headers: { readonly [name: string]: unknown };
  readonly query: object;
  readonly body: object;
}

@ToolController({ headers: ['X-Locale'], routes: { pay: true, note: true, sign: true, refund: true } })
@ApiHeader({ name: 'X-Locale', enum: ['en', 'de'] })
@ApiQuery({ name: 'lang', required: false })
@ApiExtraModels(Card)
@Controller('payments')
class PaymentsController {
  @Get('search')
  @ApiQuery({ type: Search })
  @ApiQuery({ name: 'lang', required: false, description: 'The language' })
  search(@Query() query: object) {
    return query;
  }

  @Get('found')
  @ApiQuery({ name: 'words', type: [String], explode: false })
  found(@Query() query: Search) {
    return query;
  }

  @Get('listed')
  @ApiQuery({ name: 'ids', type: [Number], explode: false })
  @ApiQuery({ name: 'pipes', type: [Number], explode: false, style: 'pipeDelimited' })
  @ApiQuery({ name: 'each', type: [Number] })
  listed(@Req() { query, headers }: PayRequest) {
    return { ...query, locale: headers['x-locale'] };
  }

  @Put('pay')
  @ApiExtraModels(Transfer)
  @ApiBody({ schema: { oneOf: [{ $ref: getSchemaPath(Card) }, { $ref: getSchemaPath(Transfer) }] } })
  pay(@Body() payment: object) {
    return payment;
  }

  @Post('refund')
  @ApiBody({ description: 'The payment', schema: { $ref: getSchemaPath('Unknown') } })
  refund(@Body() payment: object) {
    return payment;
  }

  @Post('note')
  @ApiBody({ type: Card })
  note(@Req() { body }: PayRequest) {
    return body;
  }

  @Post('sign')
  @ApiBody({ type: Card })
  sign(@Body('digits') digits: string) {
    return { digits };
  }
}

describe.each(ADAPTERS)('Routes that swagger describes, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({
      adapter,
      imports: [McpControllersModule.forRoot()],
      controllers: [PaymentsController],
    });
  });

  afterAll(() => desk.close());

  const inputOf = async (name: string) => {
    const { inputSchema } = await listedTool(desk.url, name);
    return inputSchema as { readonly properties: { readonly [name: string]: object } };
  };
  const call = async (name: string, given: object) =>
    JSON.parse(await callTool(desk.url, name, given)) as unknown;

  it('have the arguments of a class that a query without a name has as its type (ROUTE-01)', async () => {
    const { properties } = await inputOf('search');
    expect(Object.keys(properties)).toEqual(['words', 'page', 'lang', 'x-locale']);
    expect(properties['words']).toEqual({ type: 'string', description: 'Words in the name' });
    expect(await call('search', { words: 'a b', page: 2 })).toEqual({ words: 'a b', page: '2' });
  });

  it('have an argument for each name, however often it is described (ROUTE-01)', async () => {
    const { properties } = await inputOf('search');
    expect(properties['lang']).toEqual({ type: 'string', description: 'The language' });
  });

  it('have the properties without validators, which pipes without a whitelist accept (ROUTE-02)', async () => {
    const { properties } = await inputOf('found');
    expect(properties['page']).toEqual({ type: 'number', description: 'The page' });
    expect(await call('found', { page: 3 })).toEqual({ page: '3' });
  });

  it('have the headers that the class declares (ROUTE-01)', async () => {
    const { properties } = await inputOf('listed');
    expect(properties['x-locale']).toEqual({ type: 'string', enum: ['en', 'de'] });
    expect(await call('listed', { 'x-locale': 'de' })).toEqual({ locale: 'de' });
  });

  it('receive the items of a list in the style of the parameter (ROUTE-02)', async () => {
    const given = { ids: [1, 2], pipes: [3, 4], each: [5, 6] };
    expect(await call('listed', given)).toEqual({ ids: '1,2', pipes: '3|4', each: ['5', '6'] });
    expect(await call('found', { words: ['a', 'b'] })).toEqual({ words: 'a,b' });
  });

  it('have a body that is one of several classes (ROUTE-01)', async () => {
    const { properties } = await inputOf('pay');
    expect(properties['body']).toMatchObject({
      oneOf: [
        {
          properties: { kind: { enum: ['card'] }, digits: { type: 'string' } },
          required: ['kind', 'digits'],
        },
        { properties: { kind: { enum: ['transfer'] }, account: { type: 'integer' } }, required: ['account'] },
      ],
    });
    const transfer = { kind: 'transfer', account: 7 };
    expect(await call('pay', { body: transfer })).toEqual(transfer);
  });

  it('have an undescribed body if it refers to a class that no decorator names (ROUTE-01)', async () => {
    expect((await inputOf('refund')).properties['body']).toEqual({ description: 'The payment' });
    expect(await call('refund', { body: { id: 1 } })).toEqual({ id: 1 });
  });

  it('have a body that only swagger describes (ROUTE-01)', async () => {
    expect(Object.keys((await inputOf('note')).properties)).toEqual(['lang', 'x-locale', 'kind', 'digits']);
    expect(await call('note', { kind: 'card', digits: '42' })).toEqual({ kind: 'card', digits: '42' });
  });

  it('have only the parts of a body that they read (ROUTE-01)', async () => {
    expect(Object.keys((await inputOf('sign')).properties)).toEqual(['lang', 'x-locale', 'digits']);
  });
});
