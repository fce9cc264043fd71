import { Body, Get, Headers, Param, Post, Query, RequestMethod, type Type } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Type as TypeOf } from 'class-transformer';
import { IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { findArguments } from '../../../../lib/controllers/arguments/find-arguments.js';
import { PathTemplate } from '../../../../lib/controllers/routes/path-template.js';

class Price {
  @IsInt()
  id!: number;

  @IsOptional()
  @IsInt()
  amount?: number;
}

class Folder {
  @IsString()
  name!: string;

  @IsOptional()
  @ValidateNested({ each: true })
  @TypeOf(() => Folder)
  folders?: Folder[];
}

class Page {
  @IsInt()
  number!: number;

  @IsOptional()
  @ValidateNested()
  @TypeOf(() => Page)
  next?: Page;
}

class Book {
  @ValidateNested()
  @TypeOf(() => Page)
  first!: Page;
}

class Controller {
  @Post()
  change(@Param('id') id: string, @Body() price: Price) {
    return { id, price };
  }

  @Get()
  ordered(@Query('b') b: string, @Query('a') a: string, @Query('c') c: string) {
    return [a, b, c];
  }

  @Get()
  unknown(@Query() query: Record<string, string>, @Headers() headers: Record<string, string>) {
    return { query, headers };
  }

  @Post()
  @ApiBody({ schema: { type: 'object', properties: { kind: { type: 'string' } }, oneOf: [{}, {}] } })
  either(@Body() body: unknown) {
    return body;
  }

  @Post()
  nested(@Body('folder') folder: Folder, @Body('book') book: Book, @Body('last') last: Page) {
    return { folder, book, last };
  }
}

interface Shown {
  readonly properties: { readonly [name: string]: object };
  readonly required?: readonly string[];
}

function show(methodName: keyof Controller, path = '/'): Shown {
  const controller: Type = Controller;
  const handler = Controller.prototype[methodName];
  const found = findArguments(
    { controller, methodName, handler, requestMethod: RequestMethod.POST, module: {} as never },
    { path: new PathTemplate(path), headers: [], isNested: false },
  );
  return found.schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }) as unknown as Shown;
}

describe('The arguments that a route declares', () => {
  it('have a required body if one of its properties is required (ROUTE-01)', () => {
    expect(show('change', '/:id')).toMatchObject({
      properties: { body: { properties: { id: { type: 'integer' } }, required: ['id'] } },
      required: ['id', 'body'],
    });
  });

  it('have the order of the parameters (ROUTE-01)', () => {
    expect(Object.keys(show('ordered').properties)).toEqual(['b', 'a', 'c']);
  });

  it('have nothing of a query and headers whose names are unknown (ROUTE-01)', () => {
    expect(show('unknown').properties).toEqual({});
  });

  it('have a whole body if it is one of several (ROUTE-01)', () => {
    expect(Object.keys(show('either').properties)).toEqual(['body']);
  });

  it('have schemas that refer to themselves, each to its own (ROUTE-01)', () => {
    const validate = new Ajv2020({ strict: false, allErrors: true }).compile(show('nested'));
    const folder = { name: 'a', folders: [{ name: 'b', folders: [] }] };
    const last = { number: 1, next: { number: 2, next: { number: 3 } } };
    expect(validate({ folder, book: { first: last }, last })).toBe(true);
    expect(
      validate({
        folder: { name: 'a', folders: [{ name: 'b', folders: [{ number: 1 }] }] },
        book: { first: { number: 1, next: { number: 2, next: {} } } },
        last: { number: 1, next: { number: 2, next: { name: 'a' } } },
      }),
    ).toBe(false);
    const paths = validate.errors?.map(({ instancePath }) => instancePath);
    expect(paths).toEqual(
      expect.arrayContaining(['/folder/folders/0/folders/0', '/book/first/next/next', '/last/next/next']),
    );
  });
});
