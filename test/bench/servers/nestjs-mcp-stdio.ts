import { Module } from '@nestjs/common';
import { McpModule, McpStdio } from 'nestjs-mcp';

import { declareTools } from './declare-tools.js';
import { searchTickets, SERVER_INFO } from './fixtures.js';
import { readSettings } from './serve.js';

@Module({
  imports: [McpModule.forRoot({ serverInfo: SERVER_INFO })],
  providers: [declareTools(readSettings().tools, searchTickets)],
})
class BenchModule {}

await McpStdio.run(BenchModule, { nest: { logger: false } });
