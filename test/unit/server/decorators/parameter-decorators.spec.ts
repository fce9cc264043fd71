import { createParamDecorator, ParseIntPipe } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { Arguments, Context } from '../../../../lib/server/decorators/parameter.decorators.js';
import { PARAMETER_METADATA } from '../../../../lib/server/settings/mcp.constants.js';

const pipe = { transform: (value: unknown) => value };
const Custom = createParamDecorator(() => 'custom');

class Desk {
  all(@Arguments() _all: object, @Context() _context: object) {
    return 'all';
  }

  one(@Context() _context: object, @Arguments('id', ParseIntPipe, pipe) _id: number) {
    return 'one';
  }

  piped(@Arguments(pipe, ParseIntPipe) _all: object) {
    return 'piped';
  }

  mixed(@Custom('field') _custom: string, @Arguments('id') _id: string) {
    return 'mixed';
  }
}

class Reception extends Desk {
  override one(@Context() _context: object) {
    return 'mine';
  }
}

const read = (owner: object, method: string): Record<string, unknown> =>
  Reflect.getMetadata(PARAMETER_METADATA, owner, method);

describe('A parameter decorator', () => {
  it('writes what the parameter takes, in the form of Nest’s own', () => {
    expect(read(Desk, 'all')).toEqual({
      '3:0': { index: 0, pipes: [], takesAll: true },
      '1000:1': { index: 1, pipes: [] },
    });
    expect(read(Desk, 'one')).toEqual({
      '1000:0': { index: 0, pipes: [] },
      '3:1': { index: 1, data: 'id', pipes: [ParseIntPipe, pipe] },
    });
    expect(read(Desk, 'piped')).toEqual({ '3:0': { index: 0, pipes: [pipe, ParseIntPipe], takesAll: true } });
  });

  it('stands beside those of createParamDecorator()', () => {
    const parameters = Object.values(read(Desk, 'mixed'));
    expect(parameters).toContainEqual(expect.objectContaining({ index: 0, data: 'field' }));
    expect(parameters).toContainEqual({ index: 1, data: 'id', pipes: [] });
  });

  it('counts for its own class only where a subclass overrides the method', () => {
    expect(read(Reception, 'one')).toEqual({ '1000:0': { index: 0, pipes: [] } });
    expect(Object.keys(read(Desk, 'one'))).toHaveLength(2);
    expect(read(Reception, 'all')).toEqual(read(Desk, 'all'));
  });
});
