import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { McpModule, type McpOptions } from 'nestjs-mcp';

const OPTIONS: McpOptions = {
  serverInfo: { name: 'desk', title: 'The desk', version: '1.2.3', description: 'Keeps tickets' },
  publicUrl: 'https://desk.example.com/mcp',
};

@Module({ imports: [McpModule.forRoot(OPTIONS)] })
export class AppModule {}

@Module({
  imports: [
    McpModule.forRoot(OPTIONS),
    McpModule.forRoot({
      ...OPTIONS,
      server: 'staff',
      mcpPath: '/staff',
      publicUrl: 'https://desk.example.com/staff',
      serverCard: { name: 'com.example/staff' },
    }),
  ],
})
export class TwoModule {}
