import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Ticket } from './ticket.js';

export interface TicketSearch {
  text?: string | undefined;
  customer?: string | undefined;
  status?: Ticket['status'] | undefined;
  priority?: Ticket['priority'] | undefined;
  limit?: number | undefined;
}

interface TicketRow extends Omit<Ticket, 'openedAt' | 'closedAt'> {
  opened_at: Date;
  closed_at: Date | null;
}

/** The desk itself. It knows nothing of MCP: a controller or a queue could use it just as well. */
@Injectable()
export class TicketsService {
  constructor(private readonly database: Database) {}

  async search({ text, customer, status, priority, limit = 100 }: TicketSearch) {
    const rows = await this.database.query<TicketRow & { total: number }>(
      `select *, count(*) over ()::int as total
       from desk.tickets
       where ($1::text is null or concat_ws(' ', id, subject, description) ilike '%' || $1 || '%')
         and ($2::text is null or customer = $2)
         and ($3::text is null or status = $3)
         and ($4::text is null or priority = $4)
       order by opened_at desc
       limit $5`,
      [text, customer, status, priority, limit],
    );
    return { total: rows[0]?.total ?? 0, tickets: rows.map(buildTicket) };
  }

  async get(id: string): Promise<Ticket> {
    const [row] = await this.database.query<TicketRow>('select * from desk.tickets where id = $1', [id]);
    if (row === undefined) {
      throw new NotFoundException(`There is no ticket "${id}": search for it by its subject or customer`);
    }
    return buildTicket(row);
  }

  async open(ticket: Pick<Ticket, 'subject' | 'description' | 'customer' | 'priority'>): Promise<Ticket> {
    const rows = await this.database.query<TicketRow>(
      `insert into desk.tickets (subject, description, customer, priority) values ($1, $2, $3, $4) returning *`,
      [ticket.subject, ticket.description, ticket.customer, ticket.priority],
    );
    return buildTicket(rows[0] as TicketRow);
  }

  async close(id: string, resolution: string): Promise<Ticket> {
    const [row] = await this.database.query<TicketRow>(
      `update desk.tickets set status = 'closed', closed_at = now(), resolution = $2
       where id = $1 and status <> 'closed'
       returning *`,
      [id, resolution],
    );
    if (row !== undefined) return buildTicket(row);
    const { closedAt, resolution: earlier } = await this.get(id);
    throw new ConflictException(
      `Ticket ${id} is closed since ${closedAt} ("${earlier}"): open another ticket that refers to it instead`,
    );
  }

  async findIds(start: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `select id from desk.tickets where starts_with(lower(id), lower($1)) order by id limit 100`,
      [start],
    );
    return rows.map(({ id }) => id);
  }

  async findCustomers(start: string): Promise<string[]> {
    const rows = await this.database.query<{ customer: string }>(
      `select distinct customer from desk.tickets where starts_with(customer, lower($1)) order by customer limit 100`,
      [start],
    );
    return rows.map(({ customer }) => customer);
  }
}

function buildTicket(row: TicketRow): Ticket {
  return {
    id: row.id,
    subject: row.subject,
    description: row.description,
    customer: row.customer,
    priority: row.priority,
    status: row.status,
    resolution: row.resolution,
    openedAt: row.opened_at.toISOString(),
    closedAt: row.closed_at?.toISOString() ?? null,
  };
}
