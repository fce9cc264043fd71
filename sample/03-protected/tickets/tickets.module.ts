import { Module } from '@nestjs/common';
import { TicketTools } from './ticket.tools.js';
import { TicketsService } from './tickets.service.js';

@Module({ providers: [TicketsService, TicketTools] })
export class TicketsModule {}
