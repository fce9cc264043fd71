import { describe, expect, it } from '@jest/globals';
import { Injectable, Scope } from '@nestjs/common';
import {
  McpCatalog,
  McpModule,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
  type HandlerVisibility,
} from 'nestjs-mcp';
import { ADAPTERS, type AdapterName } from '../../support/applications/boot.js';
import { bootFailure } from '../../support/applications/boot-failure.js';
import { Role, RoleVisibility } from '../../support/applications/hidden-desk.js';
import { authorize, bootDesk, CALLERS, type DeskParts } from '../../support/applications/protected-desk.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { RecordedLog } from '../../support/records/recorded-log.js';

@Injectable()
@Role('ada')
class AdaDesk {
  @Tool()
  close(): string {
    return 'closed';
  }

  @Role('bob')
  @Prompt()
  greet(): string {
    return 'hello';
  }
}

@Injectable()
class OpenDesk {
  @Tool()
  hours(): string {
    return '9 to 17';
  }

  @Resource({ uri: 'desk://hours' })
  read(): string {
    return '9 to 17';
  }

  @ResourceTemplate({ uriTemplate: 'desk://{day}' })
  readDay(): string {
    return '9 to 17';
  }
}

const LISTS = [
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
] as const;

async function boot(adapter: AdapterName, visibility: object, parts: DeskParts = {}) {
  const log = new RecordedLog();
  const { providers = [], options } = parts;
  const desk = await bootDesk(adapter, {
    ...parts,
    nest: { logger: log },
    options: { catalog: { visibility: visibility as HandlerVisibility }, ...options },
    providers: [AdaDesk, OpenDesk, ...providers],
  });
  const listAll = async (token?: string) => {
    const client = perRequest(desk.url, { headers: authorize(token) });
    const lists = LISTS.map(async ([method, list]) => {
      const { result } = await client.request(method);
      return (result![list] as { name: string }[]).map(({ name }) => name);
    });
    return (await Promise.all(lists)).flat();
  };
  return { desk, log, listAll };
}

describe.each(ADAPTERS)('A provider that tells who sees which handlers, on %s', (adapter) => {
  it('is asked of every handler, with the metadata of its class and its method (NEST-06)', async () => {
    const { desk, listAll } = await boot(adapter, RoleVisibility, { providers: [RoleVisibility] });
    expect(await listAll(CALLERS.ada.token)).toEqual(['close', 'hours', 'read', 'readDay']);
    expect(await listAll(CALLERS.bob.token)).toEqual(['hours', 'greet', 'read', 'readDay']);
    expect(desk.app.get(RoleVisibility).asked).toContain('resourceTemplate readDay');
    const bob = perRequest(desk.url, { headers: authorize(CALLERS.bob.token) });
    const [hidden, never] = [
      await bob.request('tools/call', { name: 'close' }),
      await bob.request('tools/call', { name: 'never' }),
    ];
    expect(hidden.error).toEqual({ ...never.error, message: never.error?.message.replace('never', 'close') });
    await desk.close();
  });

  it('counts for what is added while the server runs, beside what that says itself (NEST-06)', async () => {
    const asked: unknown[] = [];
    const visibility: HandlerVisibility = {
      isVisible: ({ name, classRef, options }) => {
        asked.push([name, classRef, options.description]);
        return name !== 'no';
      },
    };
    const { desk, listAll } = await boot(adapter, visibility);
    const { tools } = desk.app.get(McpCatalog);
    tools.add({ name: 'yes', description: 'Late' }, () => 'yes');
    tools.add({ name: 'no' }, () => 'no');
    tools.add({ name: 'never', visible: () => false }, () => 'never');
    expect(await listAll(CALLERS.ada.token)).toContain('yes');
    expect((await listAll(CALLERS.ada.token)).filter((name) => ['no', 'never'].includes(name))).toEqual([]);
    expect(asked).toContainEqual(['yes', undefined, 'Late']);
    await desk.close();
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('The database is gone');
      },
    ],
    ['rejects', () => Promise.reject(new Error('The database is gone'))],
  ])('hides what it %s for, and the log says so once (NEST-06)', async (_how, isVisible) => {
    const { desk, log, listAll } = await boot(adapter, { isVisible });
    expect(await listAll(CALLERS.ada.token)).toEqual([]);
    expect(await listAll(CALLERS.ada.token)).toEqual([]);
    const told = log.find('error', 'The tool "close" is hidden, because its visibility check failed');
    expect(told).toEqual([expect.stringContaining('The database is gone')]);
    await desk.close();
  });

  it('shows nothing but upon a plain yes (NEST-06)', async () => {
    const { desk, listAll } = await boot(adapter, { isVisible: () => 'yes' });
    expect(await listAll(CALLERS.ada.token)).toEqual([]);
    await desk.close();
  });

  it('is not waited for longer than any method may take (NEST-06)', async () => {
    const isVisible = () => new Promise(() => {});
    const { desk } = await boot(adapter, { isVisible }, { options: { callTimeoutMs: 50 } });
    const client = perRequest(desk.url, { headers: authorize(CALLERS.ada.token) });
    expect((await client.request('tools/list')).error).toBeDefined();
    expect((await client.request('tools/call', { name: 'close' })).result ?? { isError: true }).toMatchObject(
      { isError: true },
    );
    await desk.close();
  });
});

describe('A provider that tells who sees which handlers', () => {
  const bootWith = (visibility: unknown, providers: DeskParts['providers'] = []) => {
    const catalog = { visibility: visibility as HandlerVisibility };
    const module = McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' }, catalog });
    return bootFailure({ imports: [module], providers });
  };

  it('has to be provided (NEST-06) (MOD-11)', async () => {
    expect((await bootWith(RoleVisibility)).message).toContain(
      '"catalog.visibility" is "RoleVisibility", which no module provides as a singleton',
    );
  });

  it('has to be a singleton (NEST-06) (MOD-11)', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Scoped extends RoleVisibility {}
    expect((await bootWith(Scoped, [Scoped])).message).toContain('"catalog.visibility" is "Scoped"');
  });

  it.each([[class {}], [{}], ['all']])(
    'has to have the method that is asked (NEST-06) (MOD-11)',
    async (visibility) => {
      expect((await bootWith(visibility)).message).toContain(
        'must be a class or an object with a method "isVisible"',
      );
    },
  );

  it('goes by functions alone, where a handler says it itself (NEST-06) (MOD-11)', async () => {
    class Desk {
      @Tool({ visible: true as never })
      close(): string {
        return 'closed';
      }
    }
    const module = McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } });
    const { message } = await bootFailure({ imports: [module], providers: [Desk] });
    expect(message).toContain('@Tool() on "Desk.close": "visible" must be a function');
  });
});
