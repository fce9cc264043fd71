import { Controller, Injectable, Module, Scope, type Provider } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  Complete,
  Prompt,
  ResourceTemplate,
  Resource,
  Tool,
} from '../../../../../lib/server/decorators/handler.decorators.js';
import { bootCatalog, invoke } from '../boot-catalog.js';

@Injectable()
class DeskHandlers {
  readonly #answer = 'found';

  @Tool({ inputSchema: z.object({ text: z.string() }) })
  search({ text }: { text: string }) {
    return `${this.#answer} ${text}`;
  }

  @Tool({ name: 'close-ticket', description: 'Closes a ticket' })
  close() {
    return 'closed';
  }

  @Resource({ uri: 'desk://open' })
  @ResourceTemplate({ uriTemplate: 'desk://by/{owner}' })
  read(target: object) {
    return target;
  }

  @Prompt({ arguments: [{ name: 'name' }, { name: 'style' }] })
  greet() {
    return 'Greet';
  }

  @Complete({ prompt: 'greet', argument: 'name' })
  @Complete({ resourceTemplate: 'desk://by/{owner}', argument: 'owner' })
  completePerson() {
    return ['Ada'];
  }

  notAHandler() {
    return 'private';
  }
}

const keysOf = (registry: { list(): readonly { key: string }[] }) => registry.list().map(({ key }) => key);
const boot = (...providers: Provider[]) => bootCatalog({ providers });

describe('The catalog loader', () => {
  it('finds the handlers of an ordinary provider (MOD-01)', async () => {
    const running = await boot(DeskHandlers);
    expect(keysOf(running.tools)).toEqual(['search', 'close-ticket']);
    expect(keysOf(running.resources)).toEqual(['desk://open']);
    expect(keysOf(running.resourceTemplates)).toEqual(['desk://by/{owner}']);
    expect(keysOf(running.prompts)).toEqual(['greet']);
    expect(running.completions.size).toBe(2);
    expect(running.tools.find('close-ticket')?.definition.description).toBe('Closes a ticket');
    expect(await running.call('search', { text: 'it' })).toBe('found it');
  });

  it('names entries after their methods (MOD-01)', async () => {
    const { resources, resourceTemplates } = await boot(DeskHandlers);
    expect(resources.find('desk://open')?.definition.name).toBe('read');
    expect(resourceTemplates.find('desk://by/{owner}')?.definition.name).toBe('read');
  });

  it('makes one method several resources and completions', async () => {
    const { resources, completions } = await boot(DeskHandlers);
    const target = { uri: 'desk://open' };
    expect(await invoke(resources.find('desk://open')?.invoke, target)).toBe(target);
    for (const { invoke: complete } of completions.list())
      expect(await invoke(complete, {})).toEqual(['Ada']);
  });

  it('finds handlers in any module, of controllers, factories and values (MOD-01)', async () => {
    class Made {
      constructor(private readonly answer: string) {}
      @Tool()
      tell() {
        return this.answer;
      }
    }
    class Valued extends Made {
      @Tool()
      override tell() {
        return `${super.tell()}!`;
      }
      @Tool()
      shout() {
        return 'loud';
      }
    }
    @Controller()
    class Desk {
      @Tool()
      ring() {
        return 'ding';
      }
    }
    @Module({
      providers: [{ provide: 'made', useFactory: async () => new Made('made') }],
      controllers: [Desk],
    })
    class Feature {}
    const { call } = await bootCatalog({ imports: [Feature] });
    expect(await call('tell')).toBe('made');
    expect(await call('ring')).toBe('ding');
    const valued = await boot({ provide: 'valued', useValue: new Valued('value') });
    expect(await valued.call('tell')).toBe('value!');
    expect(await valued.call('shout')).toBe('loud');
  });

  it('finds inherited handlers, and leaves out those a subclass overrides without a decorator', async () => {
    abstract class Desk {
      @Tool()
      inherited() {
        return this.name();
      }
      @Tool()
      overridden() {
        return 'first';
      }
      abstract name(): string;
    }
    @Injectable()
    class Reception extends Desk {
      override overridden() {
        return 'second';
      }
      name() {
        return 'reception';
      }
    }
    const { tools, call } = await boot(Reception);
    expect(keysOf(tools)).toEqual(['inherited']);
    expect(await call('inherited')).toBe('reception');
  });

  it('lists an aliased provider once', async () => {
    const { tools } = await boot(DeskHandlers, { provide: 'desk', useExisting: DeskHandlers });
    expect(tools.size).toBe(2);
  });

  it.each([Scope.REQUEST, Scope.TRANSIENT])(
    'finds handlers of providers in scope %i (MOD-04)',
    async (scope) => {
      @Injectable({ scope })
      class Scoped {
        @Tool()
        tell() {
          return 'scoped';
        }
      }
      const { call } = await boot(Scoped);
      expect(await call('tell')).toBe('scoped');
    },
  );

  it('is not disturbed by what else an application provides', async () => {
    const stranger = new Proxy(Object.create(null), { get: () => undefined });
    const providers = [null, 7, 'text', {}, [], stranger, class {}].map((useValue, n) => ({
      provide: `value ${n}`,
      useValue: useValue as unknown,
    }));
    const { tools } = await boot(...providers, DeskHandlers);
    expect(tools.size).toBe(2);
  });

  it('leaves time to add what is completed (MOD-06)', async () => {
    const { McpCatalog } = await import('../../../../../lib/server/catalog/mcp-catalog.js');
    @Injectable()
    class Dynamic {
      @Complete({ prompt: 'late', argument: 'name' })
      complete() {
        return [];
      }
    }
    const adding = {
      provide: 'adding',
      inject: [McpCatalog],
      useFactory: (catalog: InstanceType<typeof McpCatalog>) => ({
        onModuleInit: () => catalog.prompts.add({ name: 'late', arguments: [{ name: 'name' }] }, () => ''),
      }),
    };
    const { completions } = await boot(Dynamic, adding);
    expect(completions.size).toBe(1);
  });
});
