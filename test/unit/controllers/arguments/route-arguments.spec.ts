import { describe, expect, it } from '@jest/globals';
import {
  RouteArguments,
  type Location,
  type RouteArgument,
} from '../../../../lib/controllers/arguments/route-arguments.js';
import { PathTemplate } from '../../../../lib/controllers/routes/path-template.js';

const argument = (location: Location, name: string): RouteArgument => {
  return { argument: name, location, name, schema: {}, isRequired: true };
};

const create = (path: string, ...given: RouteArgument[]) =>
  new RouteArguments(new PathTemplate(path), given, false, {});

const validate = (given: RouteArguments, values: object) => given.schema['~standard'].validate(values);

describe('The arguments of a route', () => {
  it('are properties of the values themselves (ROUTE-02)', () => {
    const given = create('/cats/:constructor', argument('path', 'constructor'));
    expect(validate(given, {})).toMatchObject({ issues: [{ path: ['constructor'] }] });
    expect(validate(given, { constructor: 'tom' })).toEqual({ value: { constructor: 'tom' } });
  });

  it('become a path, a query, headers and a body (ROUTE-02)', () => {
    const given = create(
      '/cats/:id',
      argument('path', 'id'),
      argument('query', 'page'),
      argument('header', 'x-unit'),
      argument('body', 'name'),
      argument('body', 'owner'),
    );
    const { body, ...others } = given.build({ id: 7, page: null, 'x-unit': 3, name: 'Tom', owner: null });
    expect(others).toEqual({ url: '/cats/7', headers: { 'x-unit': '3' } });
    expect(String(body)).toBe('{"name":"Tom","owner":null}');
  });

  it.each([
    [{ type: 'object' }, {}, '{}'],
    [{ type: 'object' }, { body: { id: 1 } }, '{"id":1}'],
    [{}, {}, 'undefined'],
    [{}, { body: null }, 'null'],
  ])('have a whole body of the schema %j for %j (ROUTE-02)', (schema, values, text) => {
    const whole: RouteArgument = { argument: 'body', location: 'body', schema, isRequired: false };
    expect(String(create('/cats', whole).build(values).body)).toBe(text);
  });

  it('have no body if the route reads none (ROUTE-02)', () => {
    expect(create('/cats').build({})).toEqual({ url: '/cats', headers: {} });
  });
});
