import { Controller, Get, Injectable } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Tool } from 'nestjs-mcp';
import {
  createZodDto,
  createZodSerializerInterceptor,
  ZodSerializerDto,
  ZodSerializerInterceptor,
} from 'nestjs-zod';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { callTool } from '../tool-text.js';

class AccountDto extends createZodDto(z.object({ username: z.string() })) {}

const account = { username: 'ada', password: 'correct horse' };

@Injectable()
@Controller('accounts')
class AccountController {
  @Get('one')
  @Tool()
  @ZodSerializerDto(AccountDto)
  one() {
    return account;
  }

  @Get('list')
  @Tool()
  @ZodSerializerDto([AccountDto])
  list() {
    return [account, account];
  }

  @Get('plain')
  @Tool()
  plain() {
    return { content: 'no secret' };
  }
}

const SERIALIZERS = [ZodSerializerInterceptor, createZodSerializerInterceptor({ reportInput: true })];
const CASES = ADAPTERS.flatMap((adapter) => SERIALIZERS.map((useClass) => ({ adapter, useClass })));

describe.each(CASES)('A global serializer of nestjs-zod, on $adapter', ({ adapter, useClass }) => {
  let desk: RunningApp;

  beforeAll(async () => {
    const providers = [{ provide: APP_INTERCEPTOR, useClass }];
    desk = await bootServer({ adapter, controllers: [AccountController], providers });
  });

  afterAll(() => desk.close());

  it.each(['one', 'list', 'plain'])(
    'makes of a tool’s result what it makes of its route’s: %s (APP-01)',
    async (name) => {
      const routed = await fetch(`${desk.origin}/accounts/${name}`);
      const { text } = await callTool(desk.url, name);
      expect(JSON.parse(text)).toEqual(await routed.json());
      expect(text).not.toContain('correct horse');
    },
  );
});
