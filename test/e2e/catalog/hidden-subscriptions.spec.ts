import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpNotifier, RequireScope, Resource, ResourceTemplate } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { createHiddenDesk, Flags } from '../../support/applications/hidden-desk.js';
import { authorize, bootDesk, CALLERS } from '../../support/applications/protected-desk.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { until } from '../../support/until.js';

const HIDDEN = 'desk://hidden';
const SHOWN = 'desk://shown';
const ADA = { headers: authorize(CALLERS.ada.token) };

describe.each(ADAPTERS)('A subscription to a resource that is hidden, on %s', (adapter) => {
  let flags: Flags;
  let desk: RunningApp;

  beforeEach(async () => {
    flags = new Flags();
    desk = await bootDesk(adapter, { options: { tasks: true }, providers: [createHiddenDesk(flags)] });
  });

  afterEach(() => desk.close());

  /** Tells of the hidden one first: what comes of the other shows that the way was open. */
  function tell(): void {
    const notifier = desk.app.get(McpNotifier);
    notifier.resourceUpdated(HIDDEN);
    notifier.resourceUpdated(SHOWN);
  }

  async function openSession() {
    const session = await initialize(desk.url, ADA);
    const stream = await session.openStream();
    const subscribe = async (uri: string) => {
      const { error } = await session.request('resources/subscribe', { uri });
      return error && JSON.stringify(error).replaceAll(uri, 'a URI');
    };
    const told = () => stream.messages.map(({ params }) => params?.['uri']);
    return { subscribe, told };
  }

  it('is refused as one to what there is not, and nothing is told of it (NEST-06) (HOST-03)', async () => {
    const { subscribe, told } = await openSession();
    const refused = await subscribe(HIDDEN);
    expect(refused).toContain('-32002');
    expect(refused).toBe(await subscribe('desk://nobody'));
    expect(await subscribe(SHOWN)).toBeUndefined();
    flags.shownTo.add('*');
    tell();
    await until(() => told().includes(SHOWN), 'the update of what is shown');
    expect(told()).toEqual([SHOWN]);
  });

  it('tells of it whom it is not hidden from, and nothing from when on it is (NEST-06)', async () => {
    const { subscribe, told } = await openSession();
    flags.shownTo.add('ada');
    await subscribe(HIDDEN);
    await subscribe(SHOWN);
    tell();
    await until(() => told().length === 2, 'two updates');
    expect(new Set(told())).toEqual(new Set([HIDDEN, SHOWN]));
    flags.shownTo.clear();
    tell();
    await until(() => told().length === 3, 'three updates');
    expect(told().slice(2)).toEqual([SHOWN]);
  });

  it('goes for those of the wire without sessions too (NEST-06)', async () => {
    const client = perRequest(desk.url, ADA);
    const listen = () => {
      const resourceSubscriptions = [HIDDEN, SHOWN, 'desk://nobody'];
      return client.start('subscriptions/listen', { notifications: { resourceSubscriptions } }).stream();
    };
    const blind = await listen();
    flags.shownTo.add('ada');
    const seeing = await listen();
    await until(() => blind.messages.length > 0 && seeing.messages.length > 0, 'the acknowledgment of both');
    const told = ({ messages }: typeof blind) => messages.slice(1).map(({ params }) => params?.['uri']);
    const granted = [blind, seeing].map(({ messages }) => messages[0]?.params?.['notifications']);
    expect(granted).toEqual([{ resourceSubscriptions: [SHOWN] }, { resourceSubscriptions: [HIDDEN, SHOWN] }]);
    tell();
    await until(
      () => told(seeing).length === 2 && told(blind).length === 1,
      'two updates for one, and one for the other',
    );
    expect(told(blind)).toEqual([SHOWN]);
    flags.shownTo.clear();
    tell();
    await until(
      () => told(seeing).length === 3 && told(blind).length === 2,
      'three updates for one, and two for the other',
    );
    expect([told(seeing)[2], told(blind)[1]]).toEqual([SHOWN, SHOWN]);
  });
});

@Injectable()
class PlainResources {
  @Resource({ uri: SHOWN, name: 'shown' })
  shown(): string {
    return 'shown';
  }
}

describe.each(ADAPTERS)('A subscription where nothing is hidden, on %s', (adapter) => {
  it('goes as ever (NEST-06) (NOTE-04)', async () => {
    const desk = await bootDesk(adapter, { providers: [PlainResources] });
    const session = await initialize(desk.url, ADA);
    const stream = await session.openStream();
    await session.request('resources/subscribe', { uri: SHOWN });
    desk.app.get(McpNotifier).resourceUpdated(SHOWN);
    await until(() => stream.messages.length === 1, 'the acknowledgment');
    expect(stream.messages[0]).toMatchObject({ params: { uri: SHOWN } });
    await desk.close();
  });
});

describe.each(ADAPTERS)(
  'A subscription to a resource that is hidden from when on it is open, on %s',
  (adapter) => {
    it('tells of what is behind it whose token is enough for that (NEST-06)', async () => {
      const flags = new Flags();
      const { visible } = flags;

      @Injectable()
      class LayeredResources {
        @Resource({ uri: HIDDEN, name: 'front', visible })
        front(): string {
          return 'front';
        }

        @RequireScope('desk:write')
        @ResourceTemplate({ uriTemplate: 'desk://{id}', name: 'behind' })
        behind(): string {
          return 'behind';
        }
      }
      const desk = await bootDesk(adapter, { providers: [LayeredResources, PlainResources] });
      flags.shownTo.add('*');
      const resourceSubscriptions = [HIDDEN, SHOWN];
      const listen = (token: string) =>
        perRequest(desk.url, { headers: authorize(token) }).listen({ resourceSubscriptions });
      const [ada, bob] = [await listen(CALLERS.ada.token), await listen(CALLERS.bob.token)];
      const told = ({ messages }: typeof ada) =>
        messages.flatMap(({ params }) => (params?.['uri'] === undefined ? [] : [params['uri']]));
      const notifier = desk.app.get(McpNotifier);
      flags.shownTo.clear();
      notifier.resourceUpdated(HIDDEN);
      await until(() => told(ada).length === 1, 'an update for Ada');
      notifier.resourceUpdated(SHOWN);
      await until(() => told(ada).length === 2 && told(bob).includes(SHOWN), 'an update for each');
      expect([told(ada), told(bob)]).toEqual([[HIDDEN, SHOWN], [SHOWN]]);
      await desk.close();
    });
  },
);
