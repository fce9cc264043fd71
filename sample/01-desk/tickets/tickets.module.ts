import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { AuditTool } from './audit.tool.js';
import { TicketChanges } from './ticket-changes.listener.js';
import { TicketCompletions } from './ticket.completions.js';
import { TicketPrompts } from './ticket.prompts.js';
import { TicketResources } from './ticket.resources.js';
import { TicketTools } from './ticket.tools.js';
import { TicketsService } from './tickets.service.js';

@Module({
  imports: [DatabaseModule],
  providers: [
    TicketsService,
    TicketTools,
    AuditTool,
    TicketResources,
    TicketPrompts,
    TicketCompletions,
    TicketChanges,
  ],
})
export class TicketsModule {}
