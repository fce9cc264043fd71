import { Injectable } from '@nestjs/common';
import { Arguments, Resource, ResourceTemplate } from 'nestjs-mcp';
import { ticketIcon } from './icons.js';
import { CUSTOMER_TEMPLATE, TICKET_TEMPLATE, TICKETS_URI } from './ticket.js';
import { TicketsService } from './tickets.service.js';

@Injectable()
export class TicketResources {
  constructor(private readonly tickets: TicketsService) {}

  @Resource({
    uri: TICKETS_URI,
    name: 'tickets',
    title: 'Open tickets',
    description: 'All tickets that are open, newest first.',
    mimeType: 'application/json',
    annotations: { audience: ['user', 'assistant'], priority: 0.8 },
    icons: [ticketIcon],
  })
  list() {
    return this.tickets.search({ status: 'open' });
  }

  @ResourceTemplate({
    uriTemplate: TICKET_TEMPLATE,
    name: 'ticket',
    title: 'One ticket',
    description: 'A ticket by its number. Subscribe to it to hear of every change.',
    mimeType: 'application/json',
    icons: [ticketIcon],
  })
  read(@Arguments('id') id: string) {
    return this.tickets.get(id);
  }

  @ResourceTemplate({
    uriTemplate: CUSTOMER_TEMPLATE,
    name: 'customer-tickets',
    title: 'Tickets of a customer',
    description: 'All tickets of one customer, newest first.',
    mimeType: 'application/json',
    icons: [ticketIcon],
  })
  listOfCustomer(@Arguments('customer') customer: string) {
    return this.tickets.search({ customer });
  }
}
