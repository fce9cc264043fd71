import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import type { Ticket } from './ticket.js';

const FIRST_NUMBER = 1001;

const SEED: readonly Omit<Ticket, 'id'>[] = [
  {
    subject: 'Label printer prints blank pages',
    customer: 'ironbridge-cycles',
    status: 'closed',
    openedBy: 'grace',
    closedBy: 'grace',
    resolution: 'Driver 4.2 installed; test labels come out right.',
  },
  {
    subject: 'Invoice shows the tax twice',
    customer: 'blue-kettle-cafe',
    status: 'open',
    openedBy: 'grace',
  },
  {
    subject: 'Booking page shows the wrong time zone',
    customer: 'tidewater-clinic',
    status: 'open',
    openedBy: 'ada',
  },
];

export interface TicketSearch {
  readonly status?: Ticket['status'] | undefined;
  readonly openedBy?: string | undefined;
  readonly customer?: string | undefined;
}

/** The desk itself. It knows nothing of MCP or tokens, and forgets everything at the end. */
@Injectable()
export class TicketsService {
  readonly #tickets = new Map<string, Ticket>();

  constructor() {
    for (const ticket of SEED) this.#add(ticket);
  }

  list({ status, openedBy, customer }: TicketSearch): Ticket[] {
    return [...this.#tickets.values()].filter(
      (ticket) =>
        (status === undefined || ticket.status === status) &&
        (openedBy === undefined || ticket.openedBy === openedBy) &&
        (customer === undefined || ticket.customer === customer),
    );
  }

  get(id: string): Ticket {
    const ticket = this.#tickets.get(id);
    if (ticket !== undefined) return ticket;
    throw new NotFoundException(`There is no ticket "${id}": look into the list of tickets`);
  }

  open(ticket: Pick<Ticket, 'subject' | 'customer' | 'openedBy'>): Ticket {
    return this.#add({ ...ticket, status: 'open' });
  }

  close(id: string, { closedBy, resolution }: Pick<Ticket, 'closedBy' | 'resolution'>): Ticket {
    const ticket = this.get(id);
    if (ticket.status === 'closed') {
      throw new ConflictException(`${id} was closed by ${ticket.closedBy}: open another ticket instead`);
    }
    const closed: Ticket = { ...ticket, status: 'closed', closedBy, resolution };
    this.#tickets.set(id, closed);
    return closed;
  }

  #add(ticket: Omit<Ticket, 'id'>): Ticket {
    const id = `T-${FIRST_NUMBER + this.#tickets.size}`;
    this.#tickets.set(id, { id, ...ticket });
    return { id, ...ticket };
  }
}
