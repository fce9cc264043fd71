import { describe, expect, it } from '@jest/globals';
import { allocatePaths } from '../../../../../lib/server/auth/metadata/allocate-paths.js';

const place = (endpointPath: string, resourcePath = endpointPath) => ({ endpointPath, resourcePath });

describe('The paths of a well-known document (RFC 8615, RFC 9728 §3.1)', () => {
  const allocate = (...places: ReturnType<typeof place>[]) =>
    allocatePaths('doc', places).map((paths) =>
      paths.map((path) => {
        expect(path).toMatch(/^\/\.well-known\/doc(?:\/|$)/);
        return path.slice('/.well-known/doc'.length);
      }),
    );

  it("are the endpoint's and the root form (PRM-01)", () => {
    expect(allocate(place('/mcp'))).toEqual([['/mcp', '']]);
  });

  it('have that of the URL by which clients know the endpoint besides (PRM-01)', () => {
    expect(allocate(place('/mcp', '/tools/desk'))).toEqual([['/mcp', '/tools/desk', '']]);
  });

  it.each(['/', '/mcp/', '/MCP'])('are none twice, though the resource is at %s (PRM-01)', (path) => {
    expect(allocate(place('/mcp', path))).toEqual([['/mcp', '']]);
  });

  it.each(['/a b', '/a%20b', '/:id', '/*all', '/{a}', '/a//b', '/(a)'])(
    'leave %s out, which routers do not take as it is (PRM-01) (SAFE-01)',
    (path) => {
      expect(allocate(place('/mcp', path))).toEqual([['/mcp', '']]);
    },
  );

  it('give the root form to the first (PRM-01) (MOD-05)', () => {
    expect(allocate(place('/a'), place('/b'))).toEqual([['/a', ''], ['/b']]);
  });

  it('give the root form to whose resource it is, before the first (PRM-01) (MOD-05)', () => {
    expect(allocate(place('/a'), place('/b', '/'))).toEqual([['/a'], ['/b', '']]);
  });

  it('give no path to two (PRM-01) (MOD-05)', () => {
    expect(allocate(place('/a', '/mcp'), place('/b', '/mcp'), place('/c', '/A'))).toEqual([
      ['/a', '/mcp', ''],
      ['/b'],
      ['/c'],
    ]);
  });

  it('are none without servers (PRM-01)', () => {
    expect(allocate()).toEqual([]);
  });
});
