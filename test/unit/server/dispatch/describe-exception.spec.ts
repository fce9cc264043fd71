import {
  BadRequestException,
  ConflictException,
  HttpException,
  InternalServerErrorException,
  NotFoundException,
  UnprocessableEntityException,
} from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { describeException } from '../../../../lib/server/dispatch/describe-exception.js';

/** An exception that keeps what validation found beside its response, as that of nestjs-i18n does. */
class KeepingException extends HttpException {
  constructor(readonly errors: readonly unknown[]) {
    super('Bad Request', 400);
  }
}

const Person = z.object({
  name: z.string(),
  address: z.object({ city: z.string() }),
  tags: z.array(z.string()),
});
const { error: zodError } = Person.safeParse({ name: 1, address: {}, tags: ['a', 2] });
const issues = zodError!.issues;

describe('describeException', () => {
  it.each<[string, HttpException, string]>([
    ['a message', new BadRequestException('no'), 'no'],
    ['a list of messages', new BadRequestException(['no name', 'no size']), 'no name\nno size'],
    [
      'issues of a schema library',
      new BadRequestException({
        message: 'Validation failed',
        errors: [{ path: ['items', 0], message: 'no name' }, { message: 'wrong' }, 'odd', 5],
      }),
      'Validation failed\nitems.0: no name\nwrong\nodd',
    ],
    [
      'errors of class-validator',
      new KeepingException([
        { property: 'name', constraints: { a: 'no name', b: 'not short' }, children: [] },
        { property: 'address', children: [{ property: 'city', constraints: { a: 'no city' } }] },
      ]),
      'Bad Request\nno name\nnot short\naddress.no city',
    ],
    ['nothing to tell', new BadRequestException({ message: [] }), 'Bad Request Exception'],
  ])('tells %s (NEST-04)', (_what, exception, text) => {
    expect(describeException(exception)).toBe(text);
  });

  it.each<[string, object, string]>([
    ['a text', { status: 422, errors: { email: 'emailAlreadyExists' } }, 'email: emailAlreadyExists'],
    [
      'several texts',
      { errors: { email: ['taken', 'too long'], name: 'short' } },
      'email: taken\nemail: too long\nname: short',
    ],
    [
      'maps',
      { errors: { address: { city: 'unknown', zip: { code: 'bad' } } } },
      'address.city: unknown\naddress.zip.code: bad',
    ],
    [
      'lists of maps',
      { errors: { items: [{ size: 'small' }, { size: 'big' }] } },
      'items.0.size: small\nitems.1.size: big',
    ],
    [
      'issues',
      { errors: { email: { message: 'taken', kind: 'unique', path: 'email', value: 'a' } } },
      'email: taken',
    ],
    ['numbers', { errors: { age: 5, isOld: true } }, 'age: 5\nisOld: true'],
    [
      'fields called as members of issues',
      { errors: { name: 'none', message: 'long', path: 'bad' } },
      'name: none\nmessage: long\npath: bad',
    ],
    [
      'a map as the message',
      { message: { email: 'taken' }, error: 'Conflict', statusCode: 409 },
      'email: taken',
    ],
    ['a message before it', { message: 'Invalid', errors: { email: 'taken' } }, 'Invalid\nemail: taken'],
    ['nothing in it', { message: 'Invalid', errors: {} }, 'Invalid'],
  ])('tells a map of fields to %s, a line for each fault (APP-03)', (_what, response, text) => {
    expect(describeException(new UnprocessableEntityException(response))).toBe(text);
  });

  it.each<[string, object, string]>([
    ['a reason', { reason: 'TOKEN_INVALID' }, 'reason: TOKEN_INVALID'],
    [
      'several members',
      { code: 'E7', retry: { after: 'noon' }, left: 0 },
      'code: E7\nretry.after: noon\nleft: 0',
    ],
    [
      'beside a message',
      { message: 'Quota exceeded', limit: 10, statusCode: 400 },
      'Quota exceeded\nlimit: 10',
    ],
    ['an error of its own', { error: 'TOKEN_EXPIRED', hint: 'log in' }, 'TOKEN_EXPIRED\nhint: log in'],
    [
      'an error object',
      { error: { code: 'E7', message: 'Taken', details: [{ field: 'a', reason: 'b' }] } },
      'Taken\ncode: E7\na: b',
    ],
    [
      'a JSend body',
      { status: 'fail', data: { title: 'A title is required' } },
      'title: A title is required',
    ],
    ['the status alone', { statusCode: 400, error: 'Bad Request' }, 'Bad Request Exception'],
    [
      'where and when',
      { statusCode: 400, path: '/users', timestamp: '2026-01-01', success: false },
      'Bad Request Exception',
    ],
    ['nothing', {}, 'Bad Request Exception'],
  ])('tells the members of a response with %s (APP-03)', (_what, response, text) => {
    expect(describeException(new BadRequestException(response))).toBe(text);
  });

  it.each<[string, object, string]>([
    [
      'RFC 9457',
      {
        type: 'https://example.net/validation-error',
        title: 'Your request is not valid.',
        status: 422,
        detail: 'Two fields are wrong',
        instance: '/account/12345/msgs/abc',
        errors: [
          { detail: 'must be a positive integer', pointer: '#/age' },
          { detail: 'must be green', pointer: '#/profile/color~1s' },
        ],
      },
      'Your request is not valid.\nTwo fields are wrong\nage: must be a positive integer\nprofile.color/s: must be green',
    ],
    [
      'RFC 7807',
      { title: 'Invalid', status: 400, 'invalid-params': [{ name: 'age', reason: 'must be positive' }] },
      'Invalid\nage: must be positive',
    ],
    ['further members', { type: 'about:blank', title: 'No credit', balance: 30 }, 'No credit\nbalance: 30'],
    [
      'JSON:API',
      {
        errors: [
          {
            status: '422',
            source: { pointer: '/data/attributes/name' },
            title: 'Invalid',
            detail: 'too short',
          },
        ],
      },
      'data.attributes.name: too short',
    ],
    [
      'Ajv',
      { errors: [{ instancePath: '/items/0', keyword: 'type', message: 'must be string' }] },
      'items.0: must be string',
    ],
  ])('tells problem details of %s (APP-03)', (_what, response, text) => {
    expect(describeException(new HttpException(response, 422))).toBe(text);
  });

  const NAMED = [
    'name: Invalid input: expected string, received number',
    'address.city: Invalid input: expected string, received undefined',
    'tags.1: Invalid input: expected string, received number',
  ].join('\n');

  it.each<[string, HttpException, string]>([
    [
      'nestjs-zod',
      new BadRequestException({ statusCode: 400, message: 'Validation failed', errors: issues }),
      `Validation failed\n${NAMED}`,
    ],
    ['a pipe that gives the issues', new BadRequestException(issues), NAMED],
    ['a pipe that gives the error', new BadRequestException(zodError), NAMED],
    ['"issues"', new BadRequestException({ message: 'Invalid', issues }), `Invalid\n${NAMED}`],
    [
      'flattenError()',
      new BadRequestException(z.flattenError(zodError!)),
      NAMED.replace('address.city', 'address').replace('tags.1', 'tags'),
    ],
    ['formatError()', new BadRequestException(z.formatError(zodError!)), NAMED],
    ['treeifyError()', new BadRequestException(z.treeifyError(zodError!)), NAMED],
    [
      'Valibot',
      new BadRequestException({
        issues: [{ kind: 'schema', type: 'string', message: 'bad', path: [{ key: 'items' }, { key: 0 }] }],
      }),
      'items.0: bad',
    ],
  ])('tells the issues of Zod as %s gives them (APP-03)', (_what, exception, text) => {
    expect(describeException(exception)).toBe(text);
  });

  it.each<[string, unknown]>([
    ['issues', Array.from({ length: 1000 }, (_, index) => `error ${index}`)],
    ['fields', Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field${index}`, 'bad']))],
  ])('tells no more than twenty %s (NEST-04) (APP-03)', (_what, errors) => {
    const exception = new BadRequestException({ message: 'no', errors });
    expect(describeException(exception).split('\n')).toHaveLength(21);
  });

  it('bounds long texts, and keeps a fault on one line (APP-03)', () => {
    const errors = { email: 'x'.repeat(100_000), name: 'a\n  b' };
    const [head = '', email = '', ...others] = describeException(
      new BadRequestException({ message: 'y'.repeat(100_000), errors }),
    ).split('\n');
    expect([head.length, email.length]).toEqual([10_001, 1001]);
    expect(others).toEqual(['name: a b']);
  });

  it('ends with values that are deep, large, circular or throw (APP-03)', () => {
    const circular: Record<string, unknown> = { first: 'told' };
    circular['again'] = circular;
    expect(describeException(new ConflictException({ errors: circular }))).toMatch(
      /^first: told\nagain\.first: told\n/,
    );
    let deep: object = { end: 'never told' };
    for (let level = 0; level < 10_000; level += 1) deep = { in: deep };
    expect(describeException(new ConflictException({ errors: { deep, flat: 'told' } }))).toBe('flat: told');
    const wide = Array.from({ length: 100_000 }, () => ({ a: {}, b: [null] }));
    expect(describeException(new ConflictException({ message: 'wide', errors: wide }))).toBe('wide');
    const throwing = {
      get bad(): never {
        throw new Error('hunter2');
      },
      good: 'told',
    };
    expect(describeException(new ConflictException({ errors: throwing }))).toBe('good: told');
    const withJson = { secret: 'hunter2', toJSON: () => ({ shown: 'told' }) };
    expect(describeException(new ConflictException({ errors: withJson }))).toBe('shown: told');
  });

  it.each<[string, HttpException]>([
    ['exceptions that are kept', new KeepingException([new Error('hunter2'), 'hunter2'])],
    ['a cause', new NotFoundException('Bad Request', { cause: new Error('hunter2') })],
    [
      'a stack',
      new ConflictException({
        message: 'Bad Request',
        stack: 'hunter2',
        cause: 'hunter2',
        trace: ['hunter2'],
      }),
    ],
    [
      'errors, which JSON does not show',
      new ConflictException({ message: 'Bad Request', errors: [new Error('hunter2')] }),
    ],
    [
      'more of what is the server’s fault',
      new InternalServerErrorException({ message: 'Bad Request', errors: { db: 'hunter2' } }),
    ],
  ])('does not tell %s (NEST-04) (APP-03)', (_what, exception) => {
    expect(describeException(exception)).toBe('Bad Request');
  });
});
