import { BadRequestException, HttpException } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { describeException } from '../../../../lib/server/dispatch/describe-exception.js';

/** An exception that keeps what validation found beside its response, as that of nestjs-i18n does. */
class KeepingException extends HttpException {
  constructor(readonly errors: readonly unknown[]) {
    super('Bad Request', 400);
  }
}

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

  it('tells no more than twenty of them (NEST-04)', () => {
    const errors = Array.from({ length: 1000 }, (_, index) => `error ${index}`);
    const exception = new BadRequestException({ message: 'no', errors });
    expect(describeException(exception).split('\n')).toHaveLength(21);
  });

  it('keeps what an exception has for nobody but the application (NEST-04)', () => {
    expect(describeException(new KeepingException([new Error('hunter2'), 'hunter2']))).toBe('Bad Request');
  });
});
