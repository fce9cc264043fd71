import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { deskIcon } from './tickets/icons.js';
import { TicketsModule } from './tickets/tickets.module.js';

@Module({
  imports: [
    McpModule.forRoot({
      serverInfo: {
        name: 'desk',
        title: 'Support desk',
        version: '1.0.0',
        description: 'The tickets of a small support desk',
        icons: [deskIcon],
      },
      instructions:
        'Search for a ticket before you open one. Close a ticket only with a resolution that the customer can read.',
    }),
    TicketsModule,
  ],
})
export class DeskModule {}
