import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ExtensionError, McpExtensions, type ExtensionHandle } from 'nestjs-mcp';
import { ADAPTERS } from '../../support/applications/boot.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import {
  startCluster,
  type ClusterProcess,
  type RunningCluster,
} from '../../support/cluster/start-cluster.js';

const CHANGED = 'notifications/shelves/changed';
const LAST = 'notifications/shelves/last';

/** Tells who watches shelves what changes there. */
@Injectable()
class ShelvesExtension implements OnModuleInit {
  handle!: ExtensionHandle;
  opened = 0;

  constructor(private readonly extensions: McpExtensions) {}

  onModuleInit(): void {
    this.handle = this.extensions.register({
      id: 'com.example/shelves',
      specVersion: '2026-07-28',
      stability: 'experimental',
      subscriptions: [
        {
          filter: 'shelf',
          grant: (asked) => asked,
          matches: (shelf, to) => {
            if (shelf === 'broken') throw new Error('This shelf is broken');
            return to === undefined || shelf === to;
          },
        },
        {
          filter: 'allShelves',
          grant: (asked) => asked === true || undefined,
          open: () => {
            this.opened += 1;
            return () => (this.opened -= 1);
          },
        },
      ],
    });
  }
}

describe.each(ADAPTERS)('What an extension publishes in one of several processes, on %s', (adapter) => {
  let cluster: RunningCluster;
  let streams: EventStream[];

  beforeEach(async () => {
    cluster = await startCluster({ adapter, providers: [ShelvesExtension] });
    streams = [];
  });

  afterEach(async () => {
    await Promise.all(streams.map((stream) => stream.close()));
    await cluster.close();
  });

  async function listen({ url }: ClusterProcess, filter: Record<string, string | boolean>) {
    const stream = await perRequest(url).listen(filter);
    streams.push(stream);
    return stream;
  }
  const handleOf = ({ app }: ClusterProcess) => app.get(ShelvesExtension).handle;
  const booksOn = ({ messages }: EventStream) =>
    messages.flatMap(({ method, params }) => (method === CHANGED ? [params?.['book']] : []));

  it('comes on each stream that it is for, in every process (RELAY-01)', async () => {
    const heard = await Promise.all(
      cluster.processes.flatMap((process) => [
        listen(process, { shelf: 'a' }),
        listen(process, { shelf: 'b' }),
        listen(process, { shelf: 'broken' }),
        listen(process, { toolsListChanged: true }),
      ]),
    );
    for (const [index, process] of cluster.processes.entries()) {
      handleOf(process).publish('shelf', CHANGED, { book: index }, 'a');
    }
    handleOf(cluster.processes[0]).publish('shelf', CHANGED, { book: 'any' });
    handleOf(cluster.processes[0]).publish('shelf', LAST);
    const told = heard.filter((_, index) => index % 4 < 2);
    await Promise.all(told.map((stream) => stream.nextNotification(LAST)));
    for (const [index, stream] of heard.entries()) {
      const books = [[0, 1, 2, 'any'], ['any'], [], []][index % 4];
      expect(new Set(booksOn(stream))).toEqual(new Set(books));
      expect(booksOn(stream)).toHaveLength(books?.length ?? 0);
    }
    expect(told[0]?.messages.at(-1)?.params?._meta).toEqual(told[0]?.messages[0]?.params?._meta);
  });

  it('comes to all who listen if its subscription does not say for whom it is (RELAY-01)', async () => {
    const [one, two] = cluster.processes;
    const stream = await listen(two, { allShelves: true });
    expect(two.app.get(ShelvesExtension).opened).toBe(1);
    handleOf(one).publish('allShelves', CHANGED, { book: 1 }, 'a');
    await stream.nextNotification(CHANGED);
    await stream.close();
    handleOf(one).publish('allShelves', CHANGED, { book: 2 });
    const later = await listen(two, { allShelves: true });
    handleOf(one).publish('allShelves', CHANGED, { book: 3 });
    await later.nextNotification(CHANGED);
    expect([booksOn(stream), booksOn(later)]).toEqual([[1], [3]]);
  });

  it('costs an extension no message that nobody can ask for', () => {
    const [one] = cluster.processes;
    expect(() => handleOf(one).publish('drawer', CHANGED)).toThrow(ExtensionError);
    expect(one.watched.commands).toEqual([]);
  });
});
