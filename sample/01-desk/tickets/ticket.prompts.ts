import { Injectable } from '@nestjs/common';
import { Prompt, type PromptMessage } from 'nestjs-mcp';
import { z } from 'zod';
import { ticketIcon } from './icons.js';
import { TicketId, ticketUri } from './ticket.js';
import { TicketsService } from './tickets.service.js';

const Triage = z.object({
  id: TicketId,
  team: z.string().optional().describe('Team that asks; it gets what is its own'),
});

@Injectable()
export class TicketPrompts {
  constructor(private readonly tickets: TicketsService) {}

  @Prompt({
    name: 'triage_ticket',
    title: 'Triage a ticket',
    description: 'Judges how urgent a ticket is and drafts the first answer to the customer.',
    arguments: Triage,
    icons: [ticketIcon],
  })
  async triage({ id, team = 'support' }: z.infer<typeof Triage>): Promise<PromptMessage[]> {
    const ticket = await this.tickets.get(id);
    const text =
      `You triage for the ${team} team. Say in one sentence what the customer cannot do, whether the priority ` +
      `"${ticket.priority}" fits, and which team should take it. Then draft a friendly first answer of at most ` +
      `five sentences that asks for what is still missing.`;
    return [
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: {
            uri: ticketUri(id),
            mimeType: 'application/json',
            text: JSON.stringify(ticket, null, 2),
          },
        },
      },
      { role: 'user', content: { type: 'text', text } },
    ];
  }
}
