import { Injectable, Module, type OnModuleInit, type Type } from '@nestjs/common';
import { McpAudit, McpModule, McpNotifier, Resource, Tool, type AuditEvent } from 'nestjs-mcp';

import { declareMethod } from './declare-method.js';
import { declareTools } from './declare-tools.js';
import {
  ANNOUNCE_TOOL,
  buildResourceDescriptions,
  readQueue,
  searchTickets,
  SERVER_INFO,
} from './fixtures.js';
import { serveNest } from './serve-nest.js';
import { readSettings } from './serve.js';

const settings = readSettings();
const { sessions, auth, redisUrl, redisPrefix = 'bench', recorder } = settings;
// Each is loaded only if a row asks for it: whatever else is loaded would count as the start of our server.
const recording = recorder === undefined ? undefined : await import('./record-in-memory.js');
const sharing = redisUrl === undefined ? undefined : await import('./share-by-redis.js');
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

/** Keeps the events of a while, as somebody does who writes them down together. */
@Injectable()
class KeptAudit implements OnModuleInit {
  #events: AuditEvent[] = [];

  constructor(private readonly audit: McpAudit) {}

  onModuleInit(): void {
    this.audit.events$.subscribe((event) => {
      if (this.#events.push(event) === 100) this.#events = [];
    });
  }
}

@Module({
  imports: [
    McpModule.forRoot({
      serverInfo: SERVER_INFO,
      ...(auth && { auth }),
      ...(redisUrl !== undefined && sharing?.shareByRedis(redisUrl, redisPrefix)),
      ...(recorder === 'server' && recording !== undefined && { telemetry: recording.recordInMemory() }),
      ...(sessions !== undefined && { sessions: { maxSessions: sessions } }),
    }),
  ],
  providers: [
    declareTools(settings.tools, search),
    declareResources(settings.resources),
    ...(settings.announces ? [AnnouncingTools] : []),
    ...(settings.isAudited === true ? [KeptAudit] : []),
  ],
})
class BenchModule {}

await serveNest(BenchModule, { variant: settings.variant });

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
