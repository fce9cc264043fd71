import { Injectable } from '@nestjs/common';
import { Complete } from 'nestjs-mcp';
import { CUSTOMER_TEMPLATE, TICKET_TEMPLATE } from './ticket.js';
import { TicketsService } from './tickets.service.js';

const TEAMS = ['billing', 'hardware', 'integrations', 'onboarding'];

/** What clients suggest while somebody types. */
@Injectable()
export class TicketCompletions {
  constructor(private readonly tickets: TicketsService) {}

  @Complete({ resourceTemplate: TICKET_TEMPLATE, argument: 'id' })
  @Complete({ prompt: 'triage_ticket', argument: 'id' })
  completeId({ value }: { value: string }) {
    return this.tickets.findIds(value);
  }

  @Complete({ resourceTemplate: CUSTOMER_TEMPLATE, argument: 'customer' })
  completeCustomer({ value }: { value: string }) {
    return this.tickets.findCustomers(value);
  }

  @Complete({ prompt: 'triage_ticket', argument: 'team' })
  completeTeam({ value }: { value: string }) {
    return TEAMS.filter((team) => team.startsWith(value.toLowerCase()));
  }
}
