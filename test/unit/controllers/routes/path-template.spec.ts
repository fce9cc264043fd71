import { describe, expect, it } from '@jest/globals';
import { PathTemplate } from '../../../../lib/controllers/routes/path-template.js';

const expand = (path: string, values: { readonly [name: string]: string }) =>
  new PathTemplate(path).expand(new Map(Object.entries(values)));

describe('The path of a route', () => {
  it('has required parameters, and others in groups (ROUTE-01)', () => {
    const { names, required } = new PathTemplate('/cats/:id/toys{/:toy{/*rest}}');
    expect(names).toEqual(['id', 'toy', 'rest']);
    expect(required).toEqual(['id']);
  });

  it.each([
    ['/cats/:id', { id: 'a b' }, '/cats/a%20b'],
    ['/cats/:id', { id: 'a/b?c#d%2e' }, '/cats/a%2Fb%3Fc%23d%252e'],
    ['/cats/:id', { id: '.' }, '/cats/%2E'],
    ['/cats/:id', { id: '..' }, '/cats/%2E%2E'],
    ['/cats/:id', { id: '...' }, '/cats/...'],
    ['/cats/:id.json', { id: 'tom' }, '/cats/tom.json'],
    ['/files/*path', { path: 'a/../b c' }, '/files/a/%2E%2E/b%20c'],
    ['/cats{/:page}', {}, '/cats'],
    ['/cats{/:page}', { page: '2' }, '/cats/2'],
    ['/cats{/all}', {}, '/cats'],
    ['/cats\\:id', {}, '/cats:id'],
  ])('%s with %j is %s (ROUTE-02)', (path, values, expected) => {
    expect(expand(path, values)).toBe(expected);
  });

  it.each([
    '/cats/(.*)',
    '/cats/:id?',
    '/cats/a+',
    '/cats/[a]',
    '/cats/!',
    '/cats/*',
    '/cats/:',
    '/a{b',
    '/a}b',
  ])('cannot be %s (ROUTE-01)', (path) => {
    expect(() => new PathTemplate(path)).toThrow(SyntaxError);
  });
});
