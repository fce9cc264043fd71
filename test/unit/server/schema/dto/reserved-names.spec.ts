import { describe, expect, it } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsArray, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import 'reflect-metadata';
import { compileSchema } from '../../../../../lib/server/schema/compile-schema.js';
import { issuesOf, valueOf } from '../issues-of.js';

class Note {
  @IsOptional()
  @IsString()
  text?: string;
}

class Notes {
  @IsOptional()
  @IsObject()
  meta?: object;

  @IsOptional()
  @IsString()
  text?: string;

  @IsOptional()
  @IsArray()
  list?: unknown[];

  @IsOptional()
  @ValidateNested()
  @Type(() => Note)
  note?: Note;
}

const RESERVED =
  'is the name of a built-in object property, which is not allowed here: choose a different name';

describe('A name of Object.prototype in what a client sends for a DTO class', () => {
  const schema = compileSchema(Notes, 'input');
  const issuesOfJson = async (json: string) => issuesOf(schema, JSON.parse(json));

  it.each([
    ['{"meta":{"constructor":"Ferrari"}}', 'meta.constructor'],
    ['{"meta":{"toString":"x","a":1}}', 'meta.toString'],
    ['{"meta":{"a":{"hasOwnProperty":1}}}', 'meta.a.hasOwnProperty'],
    ['{"meta":{"__proto__":{"a":1}}}', 'meta.__proto__'],
    ['{"list":[{},{"valueOf":null}]}', 'list.1.valueOf'],
  ])('is refused where any name may be: %s (MOD-07)', async (json, path) => {
    expect(await issuesOfJson(json)).toBe(`${path}: ${RESERVED}`);
  });

  it.each([
    ['{"text":{"constructor":1}}', /^text: must be a string, received object$/],
    ['{"note":{"constructor":1}}', /^note\.constructor: is not a known name.*$/],
    ['{"note":{"text":{"constructor":1}}}', /^note\.text: must be a string, received object$/],
    ['{"zz":{"constructor":1}}', /^zz: is not a known name.*$/],
    ['{"constructor":{"constructor":1}}', /^constructor: is not a known name.*$/],
    ['{"__proto__":{"constructor":1}}', /^__proto__: is not a known name.*$/],
  ])('leaves the word to what is wrong around it: %s (MOD-07)', async (json, issues) => {
    expect(await issuesOfJson(json)).toMatch(issues);
  });

  it('is told after everything else that is wrong (MOD-07)', async () => {
    const issues = await issuesOfJson('{"meta":{"constructor":1},"text":5,"zz":1}');
    expect(issues.split('\n')).toEqual([
      expect.stringMatching(/^zz: /),
      'text: must be a string, received number 5',
      `meta.constructor: ${RESERVED}`,
    ]);
  });

  it('is told a hundred times at most (MOD-07)', async () => {
    const list = Array.from({ length: 500 }, () => ({ constructor: 1 }));
    const outcome = await schema.validate({ list });
    expect(outcome).toHaveProperty('issues.length', 100);
    expect(outcome).toHaveProperty('issues.99.path', 'list.99.constructor');
  });

  it('is told by what is wrong around it however much that is (MOD-07)', async () => {
    const unknown = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [`n${at}`, { constructor: 1 }]),
    );
    expect(await issuesOf(schema, unknown)).toContain('n0: is not a known name');
  });

  it('leaves what the client sent as it is (MOD-07)', async () => {
    const given = { meta: { toString: 'x' } };
    await issuesOf(schema, given);
    expect(given).toEqual({ meta: { toString: 'x' } });
  });

  it('is no matter as a value (MOD-07)', async () => {
    expect(await valueOf(schema, { meta: { a: 'constructor' } })).toEqual({ meta: { a: 'constructor' } });
  });
});
