import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  Complete,
  McpModule,
  Prompt,
  Public,
  RequireScope,
  Resource,
  ResourceTemplate,
  Tool,
} from 'nestjs-mcp';
import { bootApp } from '../../support/applications/boot.js';
import { bootFailure } from '../../support/applications/boot-failure.js';
import { CALLERS } from '../../support/applications/protected-desk.js';

const serverInfo = { name: 'desk', version: '1.0.0' };
const auth = { bearer: Object.values(CALLERS) };
const PROJECT = {
  type: 'object',
  properties: {
    project: { type: 'string' },
    owner: { type: 'object', properties: { id: { type: 'number' } } },
  },
} as const;

/** Puts a decorator on a method of a class that nothing else knows. */
const handlers = (decorate: (prototype: object, name: string, descriptor: PropertyDescriptor) => void) => {
  @Injectable()
  class Desk {
    handle(): string {
      return 'handled';
    }
  }
  const descriptor = Object.getOwnPropertyDescriptor(Desk.prototype, 'handle')!;
  decorate(Desk.prototype, 'handle', descriptor);
  return Desk;
};

const boot = (provider: ReturnType<typeof handlers>) => ({
  imports: [McpModule.forRoot({ serverInfo, auth })],
  providers: [provider],
});

const tool = (scope: string, inputSchema: object | undefined = PROJECT) =>
  handlers((...target) => {
    Tool({ ...(inputSchema && { inputSchema }) })(...target);
    RequireScope(scope)(...target);
  });

describe('A scope with variables', () => {
  it.each([
    ['an argument that the schema misspells', tool('p:{projet}'), '"{projet}" from "inputSchema"'],
    ['a member that the object has not', tool('p:{owner.name}'), '"{owner.name}" from "inputSchema"'],
    ['a whole object', tool('p:{owner}'), '"{owner}" from "inputSchema"'],
    [
      'a resource without variables',
      handlers((...target) => {
        Resource({ uri: 'desk://rules' })(...target);
        RequireScope('p:{id}')(...target);
      }),
      '"{id}" from the URI, which has no such string, number or boolean: remove the variable',
    ],
    [
      'a variable that the URI template has not',
      handlers((...target) => {
        ResourceTemplate({ uriTemplate: 'desk://{id}' })(...target);
        RequireScope('p:{ids}')(...target);
      }),
      '"{ids}" from the URI template, which has no such string, number or boolean (did you mean "{id}"?)',
    ],
    [
      'an argument that the prompt has not',
      handlers((...target) => {
        Prompt({ arguments: [{ name: 'topic' }] })(...target);
        RequireScope('p:{id}')(...target);
      }),
      '"{id}" from the prompt arguments',
    ],
    [
      'public handlers',
      handlers((...target) => {
        Tool({ inputSchema: PROJECT })(...target);
        RequireScope('p:{project}')(...target);
        Public()(...target);
      }),
      'It cannot be public and require scopes',
    ],
  ])('keeps the application from starting for %s (XTN-04)', async (_what, provider, text) => {
    const { name, message } = await bootFailure(boot(provider));
    expect([name, message]).toEqual(['CatalogError', expect.stringContaining(text)]);
    expect(message).toContain('"Desk.handle"');
  });

  it('of a class has to fit each of its handlers (XTN-04)', async () => {
    @Injectable()
    @RequireScope('project:{project}:read')
    class Projects {
      @Tool({ inputSchema: PROJECT })
      open(): string {
        return 'open';
      }

      @Prompt({ arguments: [{ name: 'topic' }] })
      plan(): string {
        return 'plan';
      }
    }
    const { message } = await bootFailure(boot(Projects as never));
    expect(message).toContain('@Prompt() on "Projects.plan": "RequireScope" reads "{project}"');
  });

  it('of a completion has to fit what is completed (XTN-04)', async () => {
    @Injectable()
    class Projects {
      @ResourceTemplate({ uriTemplate: 'project://{project}/{id}' })
      read(): string {
        return 'read';
      }

      @Complete({ resourceTemplate: 'project://{project}/{id}', argument: 'id' })
      @RequireScope('project:{projects}:search')
      ids(): string[] {
        return [];
      }
    }
    const { message } = await bootFailure(boot(Projects as never));
    expect(message).toContain('(did you mean "{project}"?)');
  });

  it.each([
    ['p:{', 'each "{" needs a "}"'],
    ['p:{a}}', 'each "{" needs a "}"'],
    ['p:{}', '"{}" does not name an argument'],
    ['p:{a b}', '"{a b}" does not name an argument'],
    ['p q:{a}', 'a scope has no spaces or quotes'],
    ['p:{a}"', 'a scope has no spaces or quotes'],
    ['p:{a}{b}', 'put a character such as ":" between two variables'],
  ])('is refused where it is written: %s (XTN-04)', (scope, text) => {
    expect(() => RequireScope(scope)).toThrow(text);
  });

  it('needs tokens, as others do (XTN-04)', async () => {
    const options = { imports: [McpModule.forRoot({ serverInfo })], providers: [tool('p:{project}')] };
    expect((await bootFailure(options)).message).toContain('"auth" is missing: handlers require scopes');
  });

  it('may name a member of an object, and what a schema leaves open (XTN-04)', async () => {
    const open = { type: 'object', additionalProperties: true };
    for (const provider of [tool('p:{owner.id}'), tool('p:{any}', open)]) {
      const desk = await bootApp(boot(provider));
      expect(desk.port).toBeGreaterThan(0);
      await desk.close();
    }
  });
});
