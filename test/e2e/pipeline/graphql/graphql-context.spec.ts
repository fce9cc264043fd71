import {
  createParamDecorator,
  Inject,
  Injectable,
  Scope,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { CONTEXT, GqlExecutionContext } from '@nestjs/graphql';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Tool } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { callTool } from '../tool-text.js';

interface Requested {
  readonly headers: { readonly [name: string]: string | undefined };
  user?: unknown;
}

interface Given {
  readonly req: Requested;
  readonly headers?: Requested;
}

const readContext = (context: ExecutionContext): Given => GqlExecutionContext.create(context).getContext();

/** As applications write it that have subscriptions too. */
const GqlUser = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { req, headers } = readContext(context);
  return headers ? headers.user : req.user;
});

@Injectable()
class HeaderGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { req, headers } = readContext(context);
    const request = headers ?? req;
    request.user = request.headers['x-user'];
    return request.user !== undefined;
  }
}

const WRITTEN = 'left by another call';

/** Leaves something on all that it gets its hands on, and tells what was there before. */
@Injectable()
class CarelessGuard implements CanActivate {
  static found: unknown[] = [];

  canActivate(context: ExecutionContext): boolean {
    const response = context.switchToHttp().getResponse<object>();
    const owners = [readContext(context), response].flatMap((owner) => [owner, ...listMembers(owner)]);
    for (const owner of owners) {
      const marked = owner as { mark?: string };
      if (marked.mark !== undefined) CarelessGuard.found.push(owner);
    }
    for (const owner of owners) {
      if (Object.isExtensible(owner)) Object.assign(owner, { mark: WRITTEN });
    }
    return true;
  }
}

/** Lists the methods of the classes of the package: what comes from Node, every response of the process shares. */
function listMembers(owner: object): object[] {
  const names = new Set<string>(Object.keys(owner));
  for (
    let of = Object.getPrototypeOf(owner);
    of?.constructor.name !== 'EventEmitter';
    of = Object.getPrototypeOf(of)
  ) {
    Object.getOwnPropertyNames(of)
      .filter((name) => name !== 'constructor')
      .forEach((name) => names.add(name));
  }
  return [...names]
    .map((name) => (owner as Record<string, unknown>)[name])
    .filter((value): value is object => typeof value === 'function');
}

/** What each call of a handler has for itself. */
@Injectable({ scope: Scope.REQUEST })
class Loaders {
  constructor(@Inject(CONTEXT) private readonly context: Given) {}

  get tenant() {
    return this.context.req.headers['x-tenant'];
  }
}

@Injectable()
class TeamTools {
  @Tool()
  @UseGuards(HeaderGuard)
  whoami(@GqlUser() user: unknown) {
    return { user };
  }

  @Tool()
  @UseGuards(CarelessGuard)
  careless() {
    return 'passed';
  }
}

@Injectable()
class TenantTools {
  constructor(private readonly loaders: Loaders) {}

  @Tool()
  tenant() {
    return { tenant: this.loaders.tenant };
  }
}

describe.each(ADAPTERS)('The context of GraphQL in the call of a handler, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [TeamTools, TenantTools, Loaders] });
  });

  afterAll(() => desk.close());

  it('has the request and its user, and no headers that look like those of a subscription (NEST-08)', async () => {
    const { text } = await callTool(desk.url, 'whoami', {}, { 'x-user': 'ada' });
    expect(JSON.parse(text)).toEqual({ user: 'ada' });
    expect(await callTool(desk.url, 'whoami')).toMatchObject({ isError: true, text: 'Forbidden resource' });
  });

  it('has nothing that the next call gets too (NEST-08)', async () => {
    CarelessGuard.found = [];
    await callTool(desk.url, 'careless');
    expect(await callTool(desk.url, 'careless')).toMatchObject({ isError: false, text: 'passed' });
    expect(CarelessGuard.found).toEqual([]);
  });

  it('is what request-scoped providers inject (NEST-08)', async () => {
    const { text } = await callTool(desk.url, 'tenant', {}, { 'x-tenant': 'blue' });
    expect(JSON.parse(text)).toEqual({ tenant: 'blue' });
  });
});
