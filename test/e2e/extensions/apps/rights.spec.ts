import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { App, Public, RequireScope, Tool } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { authorize, CALLERS, PUBLISHED } from '../../../support/applications/protected-desk.js';
import { perRequest } from '../../../support/clients/json-rpc.js';
import { bootApps, CHART, namesOf, SHOWS_APPS } from './board.app.js';

@Injectable()
class Rights {
  @Tool({ ui: 'board.html' })
  @RequireScope('desk:write')
  write() {}

  @Tool({ ui: 'panel' })
  @Public()
  open() {}

  @Tool({ ui: 'secret', visible: ({ auth }) => auth.claims?.sub === 'ada' })
  look() {}

  @App({ visible: ({ auth }) => auth.claims?.sub === 'ada' })
  secret(): string {
    return CHART;
  }

  @App()
  @RequireScope('desk:write')
  ledger(): string {
    return CHART;
  }
}

let server: RunningApp;

afterEach(() => server.close());

describe.each(ADAPTERS)('Who may read the page of an app, on %s', (adapter) => {
  const boot = async (provider: new () => object, filterLists = false) => {
    const auth = { bearer: Object.values(CALLERS), filterLists, ...PUBLISHED };
    server = await bootApps(adapter, { providers: [provider], options: { auth } });
  };

  const as = (token?: string) =>
    perRequest(server.url, { capabilities: SHOWS_APPS, headers: authorize(token) });

  const read = async (token: string | undefined, uri: string) => {
    const { status, result, error } = await as(token).request('resources/read', { uri });
    return result === undefined ? (error?.code === -32602 ? 'unknown' : status) : 'read';
  };

  const { ada, bob } = CALLERS;

  it('is whoever may call the tool that names it (XTN-02)', async () => {
    await boot(Rights);
    expect(await read(ada.token, 'ui://desk/board.html')).toBe('read');
    expect(await read(bob.token, 'ui://desk/board.html')).toBe(403);
    expect(await read(undefined, 'ui://desk/board.html')).toBe(401);
    expect(await read(undefined, 'ui://desk/panel')).toBe('read');
  });

  it('is what @App() says with the decorators beside it (XTN-02)', async () => {
    await boot(Rights);
    expect(await read(ada.token, 'ui://desk/ledger')).toBe('read');
    expect(await read(bob.token, 'ui://desk/ledger')).toBe(403);
    expect(await read(ada.token, 'ui://desk/secret')).toBe('read');
    expect(await read(bob.token, 'ui://desk/secret')).toBe('unknown');
  });

  it('is shown it by lists that are filtered, and nobody else (XTN-02)', async () => {
    await boot(Rights, true);
    const list = async (token: string) =>
      namesOf(await as(token).start('resources/list').result(), 'resources')
        .map(String)
        .toSorted();
    expect(await list(ada.token)).toEqual(['board.html', 'ledger', 'panel', 'secret']);
    expect(await list(bob.token)).toEqual(['panel']);
  });
});
