import {
  Body,
  Catch,
  Controller,
  HttpException,
  Post,
  UseFilters,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Tool } from 'nestjs-mcp';
import { createZodDto, ZodSerializerDto, ZodSerializerInterceptor, ZodValidationPipe } from 'nestjs-zod';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { callTool } from '../tool-text.js';

class CredentialsDto extends createZodDto(z.object({ username: z.string(), password: z.string().min(8) })) {}

class AccountDto extends createZodDto(z.object({ username: z.string() })) {}

/** As its page has it. */
@Catch(HttpException)
class HttpExceptionFilter extends BaseExceptionFilter {}

/** Lets everything through, so that the pipe has something to refuse. */
const inputSchema = { type: 'object' } as const;

@Controller('accounts')
@UsePipes(ZodValidationPipe)
@UseInterceptors(ZodSerializerInterceptor)
class AccountController {
  @Post()
  @Tool({ inputSchema })
  @ZodSerializerDto(AccountDto)
  create(@Body() credentials: CredentialsDto) {
    return credentials;
  }

  @Tool({ inputSchema })
  @UseFilters(HttpExceptionFilter)
  filtered(@Body() credentials: CredentialsDto) {
    return credentials;
  }
}

describe.each(ADAPTERS)('nestjs-zod on handlers, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, controllers: [AccountController] });
  });

  afterAll(() => desk.close());

  it('checks arguments, and serializes the result, as on the route (NEST-01)', async () => {
    const credentials = { username: 'ada', password: 'correct horse' };
    const routed = await fetch(`${desk.origin}/accounts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(credentials),
    });
    expect(await routed.json()).toEqual({ username: 'ada' });
    const { text } = await callTool(desk.url, 'create', credentials);
    expect(JSON.parse(text)).toEqual({ username: 'ada' });
  });

  it.each(['create', 'filtered'])('says what is wrong with the arguments: %s (NEST-04)', async (name) => {
    const { isError, text } = await callTool(desk.url, name, { username: 'ada', password: 'short' });
    expect(isError).toBe(true);
    expect(text).toMatch(/^Validation failed\npassword: /);
  });
});
