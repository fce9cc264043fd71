import {
  ClassSerializerInterceptor,
  Controller,
  Get,
  Injectable,
  SerializeOptions,
  UseInterceptors,
} from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventSource, McpCatalog, McpNotifier, Tool } from 'nestjs-mcp';
import { Subject, type Observable } from 'rxjs';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { initialize, perRequest, type SessionClient } from '../../../support/clients/json-rpc.js';
import { publishedClient } from '../../../support/clients/task-wires.js';
import { RecordedLog } from '../../../support/records/recorded-log.js';
import { Account, AccountHandlers, SECRET, Visit } from './accounts.app.js';

/** Serializes by itself, as controllers do without a global serializer. */
@Controller('accounts')
@UseInterceptors(ClassSerializerInterceptor)
class SerializedController {
  @Get('one')
  one() {
    return new Account();
  }
}

/** Has its own form in JSON, which hides a member more. */
class Draft extends Account {
  readonly note = 'not yet';

  toJSON() {
    return { id: this.id, password: this.password, profile: this.profile, title: 'Draft' };
  }
}

class Page {
  readonly items = [new Account()];
  readonly last = new Visit();
}

@Injectable()
class Sources {
  readonly accounts = new Subject<object>();

  @EventSource({ name: 'account.opened' })
  opened(): Observable<object> {
    return this.accounts;
  }
}

const shown = z.object({ id: z.number(), mail: z.string() });

@Injectable()
class AccountTools {
  @Tool()
  page() {
    return new Page();
  }

  @Tool()
  draft() {
    return new Draft();
  }

  @Tool({ outputSchema: shown })
  checked() {
    return new Account();
  }

  @Tool({ task: 'optional' })
  long() {
    return new Account();
  }

  @Tool({ outputSchema: z.object({}) })
  meta() {
    return { structuredContent: {}, _meta: { 'example.com/account': new Account() } };
  }

  @Tool()
  untouched() {
    return { plain: { at: new Date(0), password: 'asked for' } };
  }
}

describe.each(ADAPTERS)(
  'A result whose class hides members, without a global serializer, on %s',
  (adapter) => {
    let desk: RunningApp;
    let session: SessionClient;
    let route: unknown;

    beforeAll(async () => {
      desk = await bootServer({
        adapter,
        options: { tasks: true, events: true },
        controllers: [SerializedController],
        providers: [AccountHandlers, AccountTools, Sources],
      });
      desk.app.get(McpCatalog).tools.add({ name: 'function' }, () => new Account());
      session = await initialize(desk.url);
      await session.request('logging/setLevel', { level: 'debug' });
      route = await (await fetch(`${desk.origin}/accounts/one`)).json();
    });

    afterAll(() => desk.close());

    const call = async (name: string) => {
      const { result, notifications } = await session.request('tools/call', { name, arguments: {} });
      expect(JSON.stringify([result, notifications])).not.toContain(SECRET);
      const { structuredContent, content } = result as { structuredContent: unknown; content: unknown };
      expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
      return { value: structuredContent, notifications };
    };

    it.each(['of-provider', 'full-result', 'function', 'long'])(
      'is serialized as a route with the serializer would: %s (APP-01)',
      async (name) => {
        expect((await call(name)).value).toEqual(route);
      },
    );

    it('is serialized within other objects (APP-01)', async () => {
      const { value } = await call('page');
      expect(value).toEqual({ items: [route], last: { page: '/home' } });
    });

    it('keeps hidden what its own "toJSON()" hides (APP-01)', async () => {
      expect((await call('draft')).value).toEqual({ id: 7, profile: { city: 'Turin' } });
    });

    it('is serialized before an output schema, and in "_meta" (APP-01)', async () => {
      expect((await call('checked')).value).toEqual({ id: 7, mail: 'ada@example.com' });
      const { result } = await session.request('tools/call', { name: 'meta', arguments: {} });
      expect(result?.['_meta']).toMatchObject({ 'example.com/account': route });
    });

    it('stays as it is if no class hides anything (APP-01)', async () => {
      const { value } = await call('untouched');
      expect(value).toEqual({ plain: { at: '1970-01-01T00:00:00.000Z', password: 'asked for' } });
    });

    it('is serialized as the result of a task (APP-01)', async () => {
      const client = publishedClient(desk.url);
      const { taskId } = await client.create('long');
      const { result } = await client.reach(taskId);
      expect(result).toMatchObject({ structuredContent: route });
      expect(JSON.stringify(result)).not.toContain(SECRET);
    });

    it('is serialized in resources (APP-01)', async () => {
      const { result } = await session.request('resources/read', { uri: 'desk://account' });
      const { contents } = result as { contents: readonly [{ text: string }] };
      expect(JSON.parse(contents[0].text)).toEqual(route);
    });

    it('is serialized in log entries of calls and of the notifier (APP-01)', async () => {
      const { notifications } = await call('of-provider');
      expect(notifications[0]?.params).toMatchObject({ data: { account: route } });
      const stream = await session.openStream();
      desk.app.get(McpNotifier).log('info', [new Account()]);
      const { params } = await stream.nextNotification('notifications/message');
      expect(params).toMatchObject({ data: [route] });
      expect(JSON.stringify(params)).not.toContain(SECRET);
    });

    it('is serialized in events (APP-01)', async () => {
      const started = perRequest(desk.url).start('events/stream', { name: 'account.opened' });
      const stream = await started.stream();
      await stream.nextNotification('notifications/events/active');
      desk.app.get(Sources).accounts.next(new Account());
      const { params } = await stream.nextNotification('notifications/events/event');
      expect(params).toMatchObject({ data: route });
      expect(JSON.stringify(params)).not.toContain(SECRET);
    });
  },
);

class View {}

@Injectable()
class DescribedTools {
  @Tool()
  @SerializeOptions({ type: View })
  described() {
    return {};
  }

  @Tool()
  @SerializeOptions({ type: View })
  @UseInterceptors(ClassSerializerInterceptor)
  served() {
    return {};
  }
}

describe('A handler that says how its result is serialized', () => {
  it('is named at start-up if no serializer runs (APP-01)', async () => {
    const log = new RecordedLog();
    const desk = await bootServer({ providers: [DescribedTools], nest: { logger: log } });
    expect(log.findWarnings('@SerializeOptions()')).toEqual([
      expect.stringMatching(
        /DescribedTools\.described" has @SerializeOptions\(\), but no serializer runs: add/,
      ),
    ]);
    await desk.close();
  });
});
