import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import { auditIcon } from './icons.js';
import { TicketId, type Ticket } from './ticket.js';
import { TicketsService } from './tickets.service.js';

const HOUR_MS = 3_600_000;
const HOURS_TO_SOLVE = { urgent: 4, high: 24, normal: 72, low: 168 };

const Audit = z.object({
  paceMs: z.int().min(0).max(2000).default(150).describe('Milliseconds between two tickets'),
});

const Report = z.object({
  audited: z.int().describe('Tickets looked at'),
  late: z.array(z.object({ id: TicketId, hours: z.int().describe('Hours beyond what its priority allows') })),
});

/** Takes its time: it reports progress to a client that asked for it, and stops when the client cancels. */
@Injectable()
export class AuditTool {
  constructor(private readonly tickets: TicketsService) {}

  @Tool({
    name: 'audit_desk',
    title: 'Audit the desk',
    description: 'Walks through all tickets and names those that are late for their priority.',
    inputSchema: Audit,
    outputSchema: Report,
    annotations: { readOnlyHint: true, openWorldHint: false },
    icons: [auditIcon],
    timeoutMs: 5 * 60_000,
  })
  async audit({ paceMs }: z.infer<typeof Audit>, context: McpContext): Promise<z.infer<typeof Report>> {
    const { tickets } = await this.tickets.search({});
    const late: z.infer<typeof Report>['late'] = [];
    for (const [index, ticket] of tickets.entries()) {
      await pause(paceMs, undefined, { signal: context.signal });
      const hours = hoursLate(ticket);
      if (hours > 0) late.push({ id: ticket.id, hours });
      context.progress(index + 1, tickets.length, ticket.id);
    }
    context.log('info', { audited: tickets.length, late: late.length }, 'audit');
    return { audited: tickets.length, late };
  }
}

function hoursLate({ priority, openedAt, closedAt }: Ticket): number {
  const end = closedAt === null ? Date.now() : Date.parse(closedAt);
  return Math.floor((end - Date.parse(openedAt)) / HOUR_MS) - HOURS_TO_SOLVE[priority];
}
