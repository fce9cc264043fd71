import { Injectable, NotFoundException } from '@nestjs/common';
import { Arguments, Claims, Context, Tool, type McpContext } from 'nestjs-mcp';
import { InjectMcpClient, McpClients, type McpClient } from 'nestjs-mcp/client-module';
import { z } from 'zod';
import { Booking, Bookings, Tickets } from './answers.js';

const Meeting = z.object({
  ticket: z
    .string()
    .regex(/^T-\d+$/)
    .describe('Number of the ticket to meet about'),
  day: z.iso.date().describe('For example 2027-03-01'),
});

const Day = z.object({
  user: z.string(),
  tickets: z.array(z.string()).describe('What is open at the desk in the name of the caller'),
  bookings: z.array(z.string()).describe('What is booked in the house'),
});

/** What takes two servers: the desk, in the name of whoever calls, and the house, in the name of this application. */
@Injectable()
export class AgentTools {
  constructor(
    private readonly clients: McpClients,
    @InjectMcpClient('boathouse') private readonly boathouse: McpClient,
  ) {}

  @Tool({
    name: 'my_day',
    description: 'Says which tickets of the caller are open, and what is booked in the house.',
    outputSchema: Day,
    annotations: { readOnlyHint: true },
  })
  async tellDay(@Context() context: McpContext, @Claims('sub') user: string): Promise<z.infer<typeof Day>> {
    const [tickets, bookings] = await Promise.all([this.#listTickets(context), this.#listBookings()]);
    return {
      user,
      tickets: tickets.filter(({ status }) => status === 'open').map(({ id, subject }) => `${id} ${subject}`),
      bookings: bookings.map(({ room, purpose }) => `${room}: ${purpose}`),
    };
  }

  @Tool({
    name: 'meet_about',
    description: 'Books a room to meet about a ticket of the caller.',
    inputSchema: Meeting,
    outputSchema: Booking,
    annotations: { destructiveHint: false },
  })
  async meet(@Arguments() { ticket, day }: z.infer<typeof Meeting>, @Context() context: McpContext) {
    const tickets = await this.#listTickets(context);
    const found = tickets.find(({ id }) => id === ticket);
    if (found === undefined) throw new NotFoundException(`You have no ticket ${ticket}: look into my_day`);
    const wish = {
      purpose: `${found.id} ${found.subject}`,
      day,
      start: '11:00',
      people: 4,
      equipment: ['screen'],
    };
    const result = await this.boathouse.callTool('book_room', wish, { signal: context.signal });
    return Booking.parse(result.structuredContent);
  }

  /** The desk knows on whose behalf it is asked: the token that it sees is not the caller's, and not this application's. */
  async #listTickets(context: McpContext): Promise<z.infer<typeof Tickets>['tickets']> {
    const desk = this.clients.forCaller('desk', context);
    const { structuredContent } = await desk.callTool('my_tickets', {}, { signal: context.signal });
    return Tickets.parse(structuredContent).tickets;
  }

  async #listBookings(): Promise<z.infer<typeof Bookings>['bookings']> {
    const { contents } = await this.boathouse.readResource('boathouse://bookings');
    const [content] = contents;
    return Bookings.parse(JSON.parse(content !== undefined && 'text' in content ? content.text : '{}'))
      .bookings;
  }
}
