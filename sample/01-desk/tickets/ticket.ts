import { z } from 'zod';

export const TicketId = z
  .string()
  .regex(/^T-\d+$/)
  .describe('Number of the ticket, for example T-1004');

export const Customer = z
  .string()
  .regex(/^[a-z0-9-]+$/)
  .describe('Customer in lower case with hyphens, for example orchard-school');

export const Priority = z.enum(['low', 'normal', 'high', 'urgent']);

export const Status = z.enum(['open', 'waiting', 'closed']);

export const Ticket = z.object({
  id: TicketId,
  subject: z.string(),
  description: z.string(),
  customer: Customer,
  priority: Priority,
  status: Status,
  resolution: z.string().nullable(),
  openedAt: z.iso.datetime(),
  closedAt: z.iso.datetime().nullable(),
});

export type Ticket = z.infer<typeof Ticket>;

/** The open tickets. */
export const TICKETS_URI = 'desk://tickets';
/** One ticket. */
export const TICKET_TEMPLATE = 'desk://tickets/{id}';
/** The tickets of a customer. */
export const CUSTOMER_TEMPLATE = 'desk://customers/{customer}/tickets';

export const ticketUri = (id: string) => TICKET_TEMPLATE.replace('{id}', id);
export const customerUri = (customer: string) => CUSTOMER_TEMPLATE.replace('{customer}', customer);
