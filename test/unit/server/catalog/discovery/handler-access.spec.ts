import { Controller, Injectable, type Provider } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { CatalogError } from '../../../../../lib/server/catalog/catalog.error.js';
import type { CatalogEntry } from '../../../../../lib/server/catalog/entries.js';
import {
  Complete,
  Prompt,
  ResourceTemplate,
  Resource,
  Tool,
} from '../../../../../lib/server/decorators/handler.decorators.js';
import { Public, RequireScope } from '../../../../../lib/server/decorators/access.decorators.js';
import { bootCatalog } from '../boot-catalog.js';

const boot = (...providers: Provider[]) => bootCatalog({ providers });
const needs = (...scopes: string[]) => ({ scopes, isPublic: false });
const OPEN = { scopes: [], isPublic: true };

const accessOf = (registry: { list(): readonly CatalogEntry[] }) =>
  Object.fromEntries(registry.list().map(({ key, access }) => [key, access]));

@Injectable()
@RequireScope('desk:read')
class Desk {
  @Tool()
  list() {}

  @Tool()
  @RequireScope('desk:write', 'desk:read')
  close() {}

  @RequireScope('desk:write')
  @Tool()
  below() {}

  @Public()
  @Tool()
  hours() {}

  @Resource({ uri: 'desk://open' })
  @ResourceTemplate({ uriTemplate: 'desk://{id}' })
  @RequireScope('desk:files')
  read() {}

  @Prompt({ arguments: [{ name: 'name' }] })
  greet() {}

  @Complete({ prompt: 'greet', argument: 'name' })
  @Complete({ resourceTemplate: 'desk://{id}', argument: 'id' })
  @RequireScope('desk:people')
  complete() {}
}

/** Starts with a method that has both, and gives what is said of it. */
async function catchFault(...decorators: readonly MethodDecorator[]): Promise<unknown> {
  @Injectable()
  class Contrary {
    answer() {
      return 'answer';
    }
  }
  const descriptor = Object.getOwnPropertyDescriptor(Contrary.prototype, 'answer')!;
  for (const decorator of decorators) decorator(Contrary.prototype, 'answer', descriptor);
  return boot(Contrary).catch((error: unknown) => error);
}

describe('Who may call a handler', () => {
  it('is what its class and its method say, for entries of every kind (STEP-06)', async () => {
    const running = await boot(Desk);
    expect(accessOf(running.tools)).toEqual({
      list: needs('desk:read'),
      close: needs('desk:read', 'desk:write'),
      below: needs('desk:read', 'desk:write'),
      hours: OPEN,
    });
    expect(accessOf(running.resources)).toEqual({ 'desk://open': needs('desk:read', 'desk:files') });
    expect(accessOf(running.resourceTemplates)).toEqual({ 'desk://{id}': needs('desk:read', 'desk:files') });
    expect(accessOf(running.prompts)).toEqual({ greet: needs('desk:read') });
    const people = needs('desk:read', 'desk:people');
    expect(running.completions.list().map(({ access }) => access)).toEqual([people, people]);
  });

  it('is not said where no decorator says it (STEP-06)', async () => {
    @Injectable()
    class Plain {
      @Tool()
      open() {}
    }
    const { tools } = await boot(Plain);
    expect(tools.find('open')).not.toHaveProperty('access');
  });

  it('holds for classes that extend another, each by its own (STEP-01)', async () => {
    @RequireScope('desk:read')
    abstract class Shared {
      @Tool()
      count() {}
    }
    @Injectable()
    @RequireScope('desk:audit')
    class Audit extends Shared {}
    @Injectable()
    @Public()
    class Shown extends Shared {}
    expect((await boot(Audit)).tools.find('count')?.access).toEqual(needs('desk:read', 'desk:audit'));
    expect((await boot(Shown)).tools.find('count')?.access).toEqual(OPEN);
  });

  it('holds for controllers, factories and values too (STEP-01)', async () => {
    @Controller()
    @RequireScope('desk:read')
    class Bell {
      @Tool()
      ring() {}
    }
    const { tools } = await bootCatalog({ controllers: [Bell] });
    expect(tools.find('ring')?.access).toEqual(needs('desk:read'));
    for (const provider of [{ useValue: new Desk() }, { useFactory: () => new Desk() }]) {
      const running = await boot({ provide: 'desk', ...provider });
      expect(running.tools.find('close')?.access).toEqual(needs('desk:read', 'desk:write'));
    }
  });

  it('is kept by a handler that changes while the server runs (STEP-06)', async () => {
    const { catalog, tools } = await boot(Desk);
    catalog.tools.update('close', { title: 'Close' });
    expect(tools.find('close')?.access).toEqual(needs('desk:read', 'desk:write'));
    catalog.tools.update('close', { requiredScopes: ['desk:admin'] });
    expect(tools.find('close')?.access).toEqual(needs('desk:admin'));
  });

  it('is not said by the options of a decorator, which say so at start-up (STEP-01) (NEST-03)', async () => {
    const options = { name: 'close', requiredScopes: [] };
    @Injectable()
    class Careless {
      @Tool(options)
      @RequireScope('desk:write')
      close() {}
    }
    await expect(boot(Careless)).rejects.toThrow(
      '@Tool() on "Careless.close": "requiredScopes" is only for handlers without decorators: use @RequireScope() on the method',
    );
  });

  it.each<[string, MethodDecorator]>([
    ['@Tool()', Tool()],
    ['@Resource()', Resource({ uri: 'desk://open' })],
    ['@ResourceTemplate()', ResourceTemplate({ uriTemplate: 'desk://{id}' })],
    ['@Prompt()', Prompt()],
    ['@Complete()', Complete({ prompt: 'x', argument: 'y' })],
  ])(
    'cannot be everybody and those with scopes, on one method with %s (STEP-06)',
    async (name, decorator) => {
      const fault = await catchFault(Public(), RequireScope('desk:write'), decorator);
      expect(fault).toBeInstanceOf(CatalogError);
      expect((fault as Error).message).toBe(
        `${name} on "Contrary.answer": It cannot be public and require scopes: remove @Public() or @RequireScope() ("isPublic" or "requiredScopes")`,
      );
    },
  );

  it('cannot be both on one class (STEP-06)', async () => {
    @Injectable()
    @Public()
    @RequireScope('desk:read')
    class Torn {
      @Tool()
      open() {}
    }
    await expect(boot(Torn)).rejects.toThrow(/^@Tool\(\) on "Torn\.open": It cannot be public/);
  });
});
