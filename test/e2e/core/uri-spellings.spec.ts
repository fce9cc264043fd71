import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpNotifier, Resource, ResourceTemplate } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';

interface TemplateArguments {
  readonly uri: string;
  readonly name: string;
}

@Injectable()
class NotesResources {
  @Resource({ uri: 'Desk://Open', description: 'What is open' })
  open({ uri }: { uri: string }): string {
    return uri;
  }

  @Resource({ uri: 'notes://überblick', description: 'All of it' })
  overview(): string {
    return 'overview';
  }

  @Resource({ uri: 'users://Ada', description: 'One user' })
  upper(): string {
    return 'Ada';
  }

  @Resource({ uri: 'users://ada', description: 'Another user' })
  lower(): string {
    return 'ada';
  }

  @ResourceTemplate({ uriTemplate: 'KBInfo://Topics/{name}', description: 'A topic' })
  topic({ uri, name }: TemplateArguments): string {
    return `${name} ${uri}`;
  }

  @Resource({ uri: 'vault://Keys', description: 'The keys', visible: () => false })
  keys(): string {
    return 'hidden';
  }

  @ResourceTemplate({ uriTemplate: 'Safe://{+name}', description: 'A safe' })
  safe({ uri, name }: TemplateArguments): string {
    return `${name} ${uri}`;
  }
}

describe.each(ADAPTERS)('A URI in another spelling, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [NotesResources] });
  });

  afterAll(() => desk.close());

  async function read(uri: string): Promise<unknown> {
    const { result, error } = await perRequest(desk.url).request('resources/read', { uri });
    const [contents] = (result?.['contents'] ?? []) as { uri: string; text: string }[];
    return contents ?? error?.code;
  }

  it.each([
    ['Desk://Open', 'Desk://Open'],
    ['desk://Open', 'Desk://Open'],
    ['desk://open', 'Desk://Open'],
    ['DESK://%4Fpen', 'Desk://Open'],
    ['notes://%C3%BCberblick', 'overview'],
    ['NOTES://%c3%bcberblick', 'overview'],
    ['notes://überblick', 'overview'],
    ['users://Ada', 'Ada'],
    ['users://%61da', 'ada'],
    ['kbinfo://topics/Nest', 'Nest KBInfo://Topics/Nest'],
    ['KBInfo://Topics/%4Eest', 'Nest KBInfo://Topics/Nest'],
  ])('reads %j, which keeps it in its contents (HOST-03)', async (uri, text) => {
    expect(await read(uri)).toMatchObject({ uri, text });
  });

  it.each(['users://ADA', 'desk://opened', 'kbinfo:topics/Nest'])(
    'does not read %j, which means no resource alone (HOST-03)',
    async (uri) => {
      expect(await read(uri)).toBe(-32602);
    },
  );

  it.each(['vault://Keys', 'VAULT://Keys', 'vault://keys', 'vault://%4Beys'])(
    'hides what is hidden in each: %j (HOST-03) (NEST-06)',
    async (uri) => {
      expect(await read(uri)).toBe(-32602);
    },
  );

  it.each(['Safe://private/a', 'safe://private/a', 'SAFE://%70rivate/a'])(
    'judges the form that is served: %j (HOST-03) (NEST-06)',
    async (uri) => {
      expect(await read(uri)).toMatchObject({ text: 'private/a Safe://private/a' });
    },
  );

  it('hears of updates by each of them (HOST-03) (NOTE-04)', async () => {
    const session = await initialize(desk.url);
    const stream = await session.openStream();
    await session.request('resources/subscribe', { uri: 'desk://%4Fpen' });
    const notifier = desk.app.get(McpNotifier);
    notifier.resourceUpdated('Desk://Open');
    const update = await stream.nextNotification('notifications/resources/updated');
    expect(update.params).toEqual({ uri: 'Desk://Open' });
    await session.request('resources/unsubscribe', { uri: 'DESK://Open' });
    await session.request('resources/subscribe', { uri: 'notes://überblick' });
    notifier.resourceUpdated('Desk://Open');
    notifier.resourceUpdated('notes://%C3%BCberblick');
    const next = await stream.nextNotification('notifications/resources/updated');
    expect(next.params).toEqual({ uri: 'notes://%C3%BCberblick' });
    await stream.close();
  });
});
