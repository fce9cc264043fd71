import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, type Type } from '@nestjs/common';
import {
  McpCatalog,
  McpNotifier,
  Public,
  RequireScope,
  Resource,
  Tool,
  type HandlerVisibility,
  type McpOptions,
  type VisibilityContext,
  type VisibleHandler,
} from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { authorize, CALLERS, PUBLISHED } from '../../../support/applications/protected-desk.js';
import { initialize, perRequest } from '../../../support/clients/json-rpc.js';
import { until } from '../../../support/until.js';
import { bootApps, namesOf, SHOWS_APPS } from './board.app.js';

const BOARD = 'ui://desk/board.html';
const HOURS = 'desk://hours';

const only = (subject: string) => ({
  visible: ({ auth }: VisibilityContext) => auth.claims?.sub === subject,
});

@Injectable()
class ByScopes {
  @RequireScope('desk:read')
  @Tool({ ui: 'board.html' })
  look() {}

  @RequireScope('desk:write', 'desk:admin')
  @Tool({ ui: 'board.html' })
  manage() {}
}

/** Nobody but Ada has all that one of them takes: Bob sees the one, and has the scope of the other. */
@Injectable()
class Crossed {
  @RequireScope('desk:read')
  @Tool({ ui: 'board.html', ...only('ada') })
  look() {}

  @RequireScope('desk:write')
  @Tool({ ui: 'board.html', ...only('bob') })
  write() {}
}

@Injectable()
class PartlyPublic {
  @Public()
  @Tool({ ui: 'board.html', visible: ({ auth }) => auth.claims === undefined })
  greet() {}

  @RequireScope('desk:write')
  @Tool({ ui: 'board.html' })
  write() {}
}

@Injectable()
class Hours {
  @Resource({ uri: HOURS })
  read() {
    return '9 to 17';
  }
}

let server: RunningApp;

afterEach(() => server.close());

describe.each(ADAPTERS)('The page that several tools name, on %s', (adapter) => {
  const boot = async (
    provider: Type,
    { filterLists = false, ...options }: Partial<McpOptions> & Filter = {},
  ) => {
    const auth = { bearer: Object.values(CALLERS), filterLists, ...PUBLISHED };
    server = await bootApps(adapter, { providers: [provider, Hours], options: { auth, ...options } });
  };

  const as = (token?: string) =>
    perRequest(server.url, { capabilities: SHOWS_APPS, headers: authorize(token) });

  const read = async (token?: string, uri = BOARD) => {
    const { status, result, error } = await as(token).request('resources/read', { uri });
    if (result !== undefined) return 'read';
    return error?.code === -32602 ? error.message.replace(uri, 'it') : status;
  };

  const challenge = async (token: string) => {
    const { headers } = await as(token).request('resources/read', { uri: BOARD });
    return /scope="([^"]*)"/.exec(String(headers['www-authenticate']))?.[1];
  };

  const list = async (token: string) =>
    namesOf(await as(token).start('resources/list').result(), 'resources');

  const { ada, bob, eve } = CALLERS;

  it('is for whoever has the scopes of one of them, and for nobody who has those of none (XTN-02)', async () => {
    await boot(ByScopes);
    expect(await read(ada.token)).toBe('read');
    expect(await read(bob.token)).toBe('read');
    expect(await read(eve.token)).toBe(403);
    expect(await read()).toBe(401);
  });

  it('has a challenge that asks for what one of them takes (XTN-02)', async () => {
    await boot(ByScopes);
    expect(await challenge(eve.token)).toBe('desk:read');
  });

  it('is for whoever sees one of them and has the scopes of that one (XTN-02)', async () => {
    await boot(Crossed);
    expect(await read(ada.token)).toBe('read');
    expect(await challenge(bob.token)).toContain('desk:write');
    expect(await read(eve.token)).toBe(await read(eve.token, 'ui://desk/nothing'));
    expect(await read()).toBe(401);
  });

  it('is listed to those alone where lists are filtered (XTN-02)', async () => {
    await boot(Crossed, { filterLists: true });
    expect(await list(ada.token)).toContain('board.html');
    expect(await list(bob.token)).not.toContain('board.html');
    expect(await list(eve.token)).not.toContain('board.html');
  });

  it('needs no token for whoever sees one that needs none (XTN-02)', async () => {
    await boot(PartlyPublic);
    expect(await read()).toBe('read');
    expect(await read(bob.token)).toBe(403);
    expect(await read(ada.token)).toBe('read');
  });

  it('is for nobody for whom the provider of visibility hides all of them (XTN-02)', async () => {
    const visibility: HandlerVisibility = {
      isVisible: ({ kind, name }: VisibleHandler, { auth }) =>
        kind !== 'tool' || name !== 'look' || auth.claims?.sub === 'ada',
    };
    await boot(ByScopes, { catalog: { visibility } });
    expect(await read(ada.token)).toBe('read');
    expect(await read(bob.token)).toBe(403);
    expect(await challenge(bob.token)).toContain('desk:write desk:admin');
  });

  it('follows its tools while the server runs (XTN-02)', async () => {
    await boot(ByScopes, { filterLists: true });
    const { tools } = server.app.get(McpCatalog);
    tools.remove('look');
    expect(await read(bob.token)).toBe(403);
    expect(await list(bob.token)).not.toContain('board.html');
    tools.add({ name: 'peek', ui: 'board.html', requiredScopes: ['desk:read'] }, () => '');
    expect(await read(bob.token)).toBe('read');
    expect(await list(bob.token)).toContain('board.html');
    tools.remove('manage');
    expect(await read(ada.token)).toBe('read');
    tools.remove('peek');
    expect(await read(ada.token)).toBe(await read(ada.token, 'ui://desk/nothing'));
  });

  it('tells whoever subscribes and may read it, until that ends (XTN-02) (NOTE-04)', async () => {
    await boot(ByScopes);
    const told = (messages: readonly { readonly params?: { readonly [name: string]: unknown } }[]) =>
      messages.flatMap(({ params }) => (params?.['uri'] === undefined ? [] : [params['uri']]));
    const subscribe = async (token: string) => {
      const session = await initialize(server.url, {
        capabilities: SHOWS_APPS,
        headers: authorize(token),
      });
      const stream = await session.openStream();
      const { status } = await session.request('resources/subscribe', { uri: BOARD });
      await session.request('resources/subscribe', { uri: HOURS });
      return { status, told: () => told(stream.messages) };
    };
    const listening = await as(bob.token).listen({ resourceSubscriptions: [BOARD, HOURS] });
    const [adas, bobs, eves] = [
      await subscribe(ada.token),
      await subscribe(bob.token),
      await subscribe(eve.token),
    ];
    expect([adas.status, bobs.status, eves.status]).toEqual([200, 200, 403]);
    const tell = () => {
      for (const uri of [BOARD, HOURS]) server.app.get(McpNotifier).resourceUpdated(uri);
    };
    const isTold = (times: number) =>
      [adas.told(), bobs.told(), eves.told(), told(listening.messages)].every(
        (uris) => uris.filter((uri) => uri === HOURS).length === times,
      );
    tell();
    await until(() => isTold(1), 'the first notification');
    for (const uris of [adas.told(), bobs.told(), told(listening.messages)]) expect(uris).toContain(BOARD);
    expect(eves.told()).toEqual([HOURS]);
    server.app.get(McpCatalog).tools.remove('look');
    server.app.get(McpCatalog).tools.update('manage', { ui: 'board.html', requiredScopes: ['desk:write'] });
    tell();
    await until(() => isTold(2), 'the second notification');
    const boards = (uris: readonly unknown[]) => uris.filter((uri) => uri === BOARD).length;
    expect([adas.told(), bobs.told(), told(listening.messages)].map(boards)).toEqual([2, 1, 1]);
  });
});

interface Filter {
  readonly filterLists?: boolean;
}
