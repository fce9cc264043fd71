import { Injectable, Module, type Type } from '@nestjs/common';
import { Redis } from 'ioredis';
import { McpModule, McpNotifier, Resource, Tool } from 'nestjs-mcp';
import { redisCluster } from 'nestjs-mcp/redis';

import { declareMethod } from './declare-method.js';
import {
  ANNOUNCE_TOOL,
  buildResourceDescriptions,
  buildToolDescriptions,
  readQueue,
  searchArguments,
  searchTickets,
  SERVER_INFO,
} from './fixtures.js';
import { serveNest } from './serve-nest.js';
import { readSettings } from './serve.js';

const settings = readSettings();
const { sessions, auth, redisUrl } = settings;
const { recorder } = settings;
const recording = recorder === undefined ? undefined : await import('./record-in-memory.js');
const search =
  recorder === 'handler' && recording !== undefined ? recording.recordByHand(searchTickets) : searchTickets;

@Injectable()
class AnnouncingTools {
  constructor(private readonly notifier: McpNotifier) {}

  @Tool(ANNOUNCE_TOOL)
  announce(): string {
    const { announcedUri } = settings;
    if (announcedUri === undefined) this.notifier.toolsListChanged();
    else this.notifier.resourceUpdated(announcedUri);
    return 'announced';
  }
}

@Module({
  imports: [
    McpModule.forRoot({
      serverInfo: SERVER_INFO,
      ...(auth && { auth }),
      ...(redisUrl !== undefined && {
        secret: 'what the processes of the bench share',
        cluster: redisCluster({ client: new Redis(redisUrl) }),
      }),
      ...(recorder === 'server' && recording !== undefined && { telemetry: recording.recordInMemory() }),
      ...(sessions !== undefined && { sessions: { maximumSessions: sessions } }),
    }),
  ],
  providers: [
    declareTools(settings.tools),
    declareResources(settings.resources),
    ...(settings.announces ? [AnnouncingTools] : []),
  ],
})
class BenchModule {}

await serveNest(BenchModule, { variant: settings.variant });

function declareTools(count: number): Type {
  class BenchTools {}
  for (const tool of buildToolDescriptions(count)) {
    declareMethod(BenchTools, tool.name, {
      handler: search,
      decorators: [Tool({ ...tool, inputSchema: searchArguments })],
    });
  }
  Injectable()(BenchTools);
  return BenchTools;
}

function declareResources(count: number): Type {
  class BenchResources {}
  for (const resource of buildResourceDescriptions(count)) {
    declareMethod(BenchResources, resource.name, {
      handler: readQueue,
      decorators: [Resource(resource)],
    });
  }
  Injectable()(BenchResources);
  return BenchResources;
}
