import {
  Body,
  Catch,
  Controller,
  HttpException,
  HttpStatus,
  Injectable,
  NotFoundException,
  Post,
  UnprocessableEntityException,
  UseFilters,
  ValidationPipe,
  type ArgumentsHost,
  type ExceptionFilter,
  type ValidationError,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IsEmail, IsString, MinLength } from 'class-validator';
import { Tool } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';

class SignUp {
  @IsEmail()
  email!: string;

  @IsString()
  @MinLength(8)
  password!: string;
}

/** As applications write it that translate what their fields are wrong in. */
const fieldsPipe = new ValidationPipe({
  exceptionFactory: (errors: ValidationError[]) =>
    new UnprocessableEntityException({
      status: HttpStatus.UNPROCESSABLE_ENTITY,
      errors: Object.fromEntries(
        errors.map(({ property, constraints = {} }) => [property, Object.values(constraints).join(', ')]),
      ),
    }),
});

/** Answers problem details, as RFC 9457 has them. */
@Injectable()
@Catch(NotFoundException)
class ProblemFilter implements ExceptionFilter<NotFoundException> {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(exception: NotFoundException, host: ArgumentsHost): void {
    const body = {
      type: 'https://example.com/problems/missing',
      title: 'Not found',
      status: 404,
      detail: exception.message,
      errors: [{ detail: 'no such account', pointer: '#/account/id' }],
    };
    this.host.httpAdapter.reply(host.switchToHttp().getResponse(), body, 404);
  }
}

const any = { inputSchema: { type: 'object' } } as const;

@Controller('accounts')
class AccountController {
  @Post('taken')
  @Tool(any)
  taken(): never {
    throw new UnprocessableEntityException({
      status: 422,
      errors: { email: 'emailAlreadyExists', role: 'roleNotExists' },
    });
  }

  @Post('expired')
  @Tool(any)
  expired(): never {
    throw new HttpException({ reason: 'TOKEN_EXPIRED' }, HttpStatus.UNAUTHORIZED);
  }

  @Post('sign-up')
  @Tool({ name: 'sign-up', ...any })
  signUp(@Body(fieldsPipe) account: SignUp) {
    return account;
  }

  @Post('missing')
  @UseFilters(ProblemFilter)
  @Tool(any)
  missing(): never {
    throw new NotFoundException('Account 7 does not exist');
  }

  @Post('broken')
  @Tool(any)
  broken(): never {
    throw new HttpException({ message: 'Out of order', errors: { db: '10.0.0.7 is down' } }, 503);
  }
}

/** What each route answers, and the lines that a model reads of it. */
const CASES: readonly (readonly [name: string, body: object, text: string])[] = [
  [
    'taken',
    { status: 422, errors: { email: 'emailAlreadyExists', role: 'roleNotExists' } },
    'email: emailAlreadyExists\nrole: roleNotExists',
  ],
  ['expired', { reason: 'TOKEN_EXPIRED' }, 'reason: TOKEN_EXPIRED'],
  [
    'sign-up',
    {
      status: 422,
      errors: {
        email: 'email must be an email',
        password: 'password must be longer than or equal to 8 characters, password must be a string',
      },
    },
    'email: email must be an email\npassword: password must be longer than or equal to 8 characters, password must be a string',
  ],
  [
    'missing',
    {
      title: 'Not found',
      detail: 'Account 7 does not exist',
      errors: [{ detail: 'no such account', pointer: '#/account/id' }],
    },
    'Not found\nAccount 7 does not exist\naccount.id: no such account',
  ],
  ['broken', { message: 'Out of order' }, 'Out of order'],
];

describe.each(ADAPTERS)('An exception of a route and of its tool, on %s', (adapter) => {
  let desk: RunningApp;
  let client: Client;

  beforeAll(async () => {
    desk = await bootServer({ adapter, controllers: [AccountController] });
    client = new Client({ name: 'reader', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(desk.url)));
  });

  afterAll(async () => {
    await client.close();
    await desk.close();
  });

  it.each(CASES)('tells the model what the route answers: %s (APP-03)', async (name, body, text) => {
    const answer = await fetch(`${desk.origin}/accounts/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(await answer.json()).toMatchObject(body);
    expect(await client.callTool({ name, arguments: {} })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text }],
    });
  });
});
