import { Module, type Type } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import {
  McpController,
  type McpServerOptions,
  McpStrategy,
  StreamableHttpTransport,
  Tool,
} from '@rekog/mcp-nest';

import { declareMethod } from './declare-method.js';
import {
  ANNOUNCE_TOOL,
  buildToolDescriptions,
  searchArguments,
  searchTickets,
  SERVER_INFO,
} from './fixtures.js';
import { serveNest } from './serve-nest.js';
import { readSettings, type ServerSettings } from './serve.js';

type McpServer = Parameters<NonNullable<McpServerOptions['serverMutator']>>[0];

const settings = readSettings();
const servers = new Set<McpServer>();

// It has no call of its own that reaches the streams of its sessions, so the application remembers their servers.
const strategy = new McpStrategy({
  ...SERVER_INFO,
  logging: false,
  transports: [
    settings.variant === 'sessions'
      ? new StreamableHttpTransport({ statefulMode: true, enableJsonResponse: true })
      : new StreamableHttpTransport(),
  ],
  ...(settings.announces ? { serverMutator: rememberServer } : {}),
});

@Module({ controllers: [declareTools(settings)] })
class BenchModule {}

await serveNest(BenchModule, {
  prepare: async (app) => {
    strategy.setHttpAdapter(app.getHttpAdapter());
    app.connectMicroservice({ strategy });
    await app.startAllMicroservices();
  },
});

function declareTools({ tools, announces }: ServerSettings): Type {
  class BenchTools {}
  for (const tool of buildToolDescriptions(tools)) {
    declareMethod(BenchTools, tool.name, {
      handler: searchTickets,
      decorators: [Tool({ ...tool, parameters: searchArguments })],
      firstParameter: Payload(),
    });
  }
  if (announces) {
    declareMethod(BenchTools, ANNOUNCE_TOOL.name, {
      handler: announce,
      decorators: [Tool({ ...ANNOUNCE_TOOL })],
      firstParameter: Payload(),
    });
  }
  McpController()(BenchTools);
  return BenchTools;
}

function rememberServer(server: McpServer): McpServer {
  servers.add(server);
  server.server.onclose = () => servers.delete(server);
  return server;
}

function announce(): object {
  for (const server of servers) server.sendToolListChanged();
  return { content: [{ type: 'text', text: 'announced' }] };
}
