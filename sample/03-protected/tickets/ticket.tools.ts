import { Injectable } from '@nestjs/common';
import { Arguments, Claims, RequireScope, Tool } from 'nestjs-mcp';
import { z } from 'zod';
import { Status, Ticket, TicketId } from './ticket.js';
import { TicketsService } from './tickets.service.js';

const Wanted = z.object({ status: Status.optional() });

const Found = z.object({ tickets: z.array(Ticket) });

const Customer = z
  .string()
  .regex(/^[a-z0-9-]+$/)
  .describe('Customer, for example orchard-school');

const OfCustomer = z.object({ customer: Customer });

const Opening = z.object({
  subject: z.string().min(5).max(120).describe('The problem in one line'),
  customer: Customer,
});

const Closing = z.object({
  id: TicketId,
  resolution: z.string().min(5).describe('What solved the problem, for the customer to read'),
});

/** Whoever comes this far has `desk:read`: the server requires it of every token. */
@Injectable()
export class TicketTools {
  constructor(private readonly tickets: TicketsService) {}

  @Tool({
    name: 'list_tickets',
    description: 'Lists the tickets of the desk.',
    inputSchema: Wanted,
    outputSchema: Found,
    annotations: { readOnlyHint: true, openWorldHint: false },
  })
  list(wanted: z.infer<typeof Wanted>) {
    return { tickets: this.tickets.list(wanted) };
  }

  @Tool({
    name: 'read_ticket',
    description: 'Gives one ticket.',
    inputSchema: z.object({ id: TicketId }),
    outputSchema: Ticket,
    annotations: { readOnlyHint: true, openWorldHint: false },
  })
  read({ id }: { id: string }) {
    return this.tickets.get(id);
  }

  @Tool({
    name: 'my_tickets',
    description: 'Lists the tickets that the caller opened.',
    outputSchema: Found,
    annotations: { readOnlyHint: true, openWorldHint: false },
  })
  listMine(@Claims('sub') caller: string) {
    return { tickets: this.tickets.list({ openedBy: caller }) };
  }

  @Tool({
    name: 'customer_history',
    description: 'Lists all tickets of a customer, with what solved them.',
    inputSchema: OfCustomer,
    outputSchema: Found,
    annotations: { readOnlyHint: true, openWorldHint: false },
  })
  @RequireScope('customer:{customer}:read')
  listOfCustomer({ customer }: z.infer<typeof OfCustomer>) {
    return { tickets: this.tickets.list({ customer }) };
  }

  @Tool({
    name: 'open_ticket',
    description: 'Opens a ticket in the name of the caller.',
    inputSchema: Opening,
    outputSchema: Ticket,
    annotations: { destructiveHint: false, openWorldHint: false },
  })
  @RequireScope('desk:write')
  open(@Arguments() opening: z.infer<typeof Opening>, @Claims('sub') caller: string) {
    return this.tickets.open({ ...opening, openedBy: caller });
  }

  @Tool({
    name: 'close_ticket',
    description: 'Closes a ticket that is solved, in the name of the caller.',
    inputSchema: Closing,
    outputSchema: Ticket,
    annotations: { destructiveHint: true, openWorldHint: false },
  })
  @RequireScope('desk:write')
  close(@Arguments() { id, resolution }: z.infer<typeof Closing>, @Claims('sub') caller: string) {
    return this.tickets.close(id, { closedBy: caller, resolution });
  }
}
