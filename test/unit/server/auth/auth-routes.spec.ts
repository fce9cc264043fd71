import type { ExecutionContext, Type } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { AuthRoutes } from '../../../../lib/server/auth/auth-routes.js';
import { DeclaredAccess } from '../../../../lib/server/auth/access/declared-access.js';
import { Public, RequireScope } from '../../../../lib/server/decorators/access.decorators.js';
import { TestCatalog } from '../../support/catalog.js';
import { buildSettings } from '../../support/settings.js';

class McpController {
  handle() {}
}

abstract class Shared {
  list() {}

  @RequireScope('desk:write')
  close() {}

  @Public()
  hours() {}
}

class Plain extends Shared {}

@RequireScope('desk:admin')
class Admin extends Shared {}

@Public()
class Open extends Shared {}

class Contrary {
  @Public()
  @RequireScope('desk:write')
  both() {}
}

describe('AuthRoutes', () => {
  let catalog: TestCatalog;
  let routes: AuthRoutes;

  beforeEach(() => {
    catalog = new TestCatalog();
    const { tools, resources, templates, prompts, completions, addedScopes } = catalog;
    const settings = buildSettings({
      auth: { bearer: 'a-fixed-token-of-the-desk', requiredScopes: ['desk:use'] },
    });
    const declared = new DeclaredAccess(tools, resources, templates, prompts, completions, addedScopes);
    routes = new AuthRoutes(McpController, settings, declared);
  });

  const contextOf = (classRef: Type | (abstract new () => object), name: string): ExecutionContext => {
    const handler = (classRef.prototype as Record<string, () => unknown>)[name]!;
    return new ExecutionContextHost([], classRef as Type, handler);
  };

  it('knows the endpoint, which asks for a token with the scopes that every request needs (AUTH-01) (AUTH-08)', () => {
    expect(routes.find(contextOf(McpController, 'handle'))).toEqual({
      isEndpoint: true,
      isPublic: false,
      scopes: ['desk:use'],
    });
  });

  it('lets the endpoint be reached without a token while some handler is public (STEP-06)', () => {
    const endpoint = routes.find(contextOf(McpController, 'handle'));
    catalog.entries.tools.add({ name: 'hours', isPublic: true }, () => '');
    expect(endpoint.isPublic).toBe(true);
    catalog.entries.tools.remove('hours');
    expect(endpoint.isPublic).toBe(false);
  });

  it.each([
    [Plain, 'list', false, ['desk:use']],
    [Plain, 'close', false, ['desk:use', 'desk:write']],
    [Plain, 'hours', true, ['desk:use']],
    [Admin, 'list', false, ['desk:use', 'desk:admin']],
    [Admin, 'close', false, ['desk:use', 'desk:admin', 'desk:write']],
    [Admin, 'hours', true, ['desk:use']],
    [Open, 'list', true, ['desk:use']],
    [Open, 'close', false, ['desk:use', 'desk:write']],
  ] as const)(
    'reads what a controller of the application says: %p %s (AUTH-16)',
    (classRef, name, isPublic, scopes) => {
      expect(routes.find(contextOf(classRef, name))).toEqual({ isEndpoint: false, isPublic, scopes });
    },
  );

  it('keeps controllers apart that inherit a method, in whichever order they are called (AUTH-16)', () => {
    const publicFirst = [Open, Admin, Plain].map((classRef) => routes.find(contextOf(classRef, 'list')));
    expect(publicFirst.map(({ isPublic }) => isPublic)).toEqual([true, false, false]);
    const again = [Plain, Admin, Open].map((classRef) => routes.find(contextOf(classRef, 'list')));
    expect(again).toEqual(publicFirst.toReversed());
    expect(again[0]).toBe(publicFirst[2]);
  });

  it('asks for the scopes where a route says both (AUTH-16)', () => {
    expect(routes.find(contextOf(Contrary, 'both'))).toMatchObject({
      isPublic: false,
      scopes: ['desk:use', 'desk:write'],
    });
  });
});
