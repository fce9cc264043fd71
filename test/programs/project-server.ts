import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { McpModule, McpStdio } from 'nestjs-mcp';
import { PROJECT_CALLERS, ProjectHandlers } from '../support/applications/project-desk.js';

@Module({
  imports: [
    McpModule.forRoot({
      serverInfo: { name: 'desk', version: '1.0.0' },
      auth: { bearer: Object.values(PROJECT_CALLERS) },
    }),
  ],
  providers: [ProjectHandlers],
})
class DeskModule {}

await McpStdio.run(DeskModule, { token: process.env['TOKEN'] });
