import { Injectable } from '@nestjs/common';
import { Tool, type CallToolResult } from 'nestjs-mcp';
import { z } from 'zod';
import { closeIcon, openIcon, searchIcon } from './icons.js';
import { Customer, Priority, Status, Ticket, TicketId, ticketUri } from './ticket.js';
import { TicketsService } from './tickets.service.js';

const Search = z.object({
  text: z.string().optional().describe('Words from the number, subject or description'),
  customer: Customer.optional(),
  status: Status.optional(),
  priority: Priority.optional(),
  limit: z.int().min(1).max(50).default(10).describe('Tickets to return at most'),
});

const Found = z.object({ total: z.int().describe('Tickets that match'), tickets: z.array(Ticket) });

const Opening = z.object({
  subject: z.string().min(5).max(120).describe('The problem in one line'),
  description: z.string().min(10).describe('What happens, what was expected, since when'),
  customer: Customer,
  priority: Priority.default('normal').describe('urgent only where the customer cannot work'),
});

const Closing = z.object({
  id: TicketId,
  resolution: z.string().min(5).describe('What solved the problem, for the customer to read'),
});

@Injectable()
export class TicketTools {
  constructor(private readonly tickets: TicketsService) {}

  @Tool({
    name: 'search_tickets',
    title: 'Search tickets',
    description: 'Finds tickets by words, customer, status and priority, newest first.',
    inputSchema: Search,
    outputSchema: Found,
    annotations: { readOnlyHint: true, openWorldHint: false },
    icons: [searchIcon],
  })
  search(search: z.infer<typeof Search>): Promise<z.infer<typeof Found>> {
    return this.tickets.search(search);
  }

  @Tool({
    name: 'open_ticket',
    title: 'Open a ticket',
    description: 'Opens a ticket for a customer. Search first: the problem may be known already.',
    inputSchema: Opening,
    outputSchema: Ticket,
    annotations: { destructiveHint: false, openWorldHint: false },
    icons: [openIcon],
  })
  async open(opening: z.infer<typeof Opening>): Promise<CallToolResult> {
    const ticket = await this.tickets.open(opening);
    const { id, subject } = ticket;
    return {
      content: [
        { type: 'text', text: `Opened ${id}: ${subject}` },
        { type: 'resource_link', uri: ticketUri(id), name: id, mimeType: 'application/json' },
      ],
      structuredContent: ticket,
    };
  }

  @Tool({
    name: 'close_ticket',
    title: 'Close a ticket',
    description: 'Closes a ticket that is solved. A closed ticket cannot be closed again.',
    inputSchema: Closing,
    outputSchema: Ticket,
    annotations: { destructiveHint: true, idempotentHint: false, openWorldHint: false },
    icons: [closeIcon],
  })
  close({ id, resolution }: z.infer<typeof Closing>): Promise<Ticket> {
    return this.tickets.close(id, resolution);
  }
}
