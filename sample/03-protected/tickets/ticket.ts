import { z } from 'zod';

export const TicketId = z
  .string()
  .regex(/^T-\d+$/)
  .describe('Number of the ticket, for example T-1003');

export const Status = z.enum(['open', 'closed']);

export const Ticket = z.object({
  id: TicketId,
  subject: z.string(),
  customer: z.string(),
  status: Status,
  openedBy: z.string().describe('Who opened the ticket'),
  closedBy: z.string().optional().describe('Who closed the ticket'),
  resolution: z.string().optional(),
});

export type Ticket = z.infer<typeof Ticket>;
