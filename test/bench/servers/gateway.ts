import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { McpGatewayModule } from 'nestjs-mcp/gateway';

import { SERVER_INFO } from './fixtures.js';
import { serveNest } from './serve-nest.js';
import { readSettings } from './serve.js';

const { forwarded, variant } = readSettings();
if (forwarded === undefined) throw new Error('A gateway needs a server to forward calls to');

@Module({
  imports: [
    McpModule.forRoot({ serverInfo: SERVER_INFO }),
    McpGatewayModule.forRoot({ servers: { desk: forwarded } }),
  ],
})
class GatewayModule {}

await serveNest(GatewayModule, { variant });
