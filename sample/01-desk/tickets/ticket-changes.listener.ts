import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { McpNotifier } from 'nestjs-mcp';
import { retry, timer, type Subscription } from 'rxjs';
import { Database } from '../database/database.js';
import { TICKET_CHANNEL } from '../database/schema.js';
import { customerUri, TICKETS_URI, ticketUri, type Ticket } from './ticket.js';

const RECONNECT_MS = 1000;

/** Tells subscribed clients what the database announces, whoever made the change. */
@Injectable()
export class TicketChanges implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(TicketChanges.name);
  private subscription?: Subscription;

  constructor(
    private readonly database: Database,
    private readonly notifier: McpNotifier,
  ) {}

  onApplicationBootstrap(): void {
    this.subscription = this.database
      .listen(TICKET_CHANNEL)
      .pipe(retry({ delay: (error: Error) => this.waitAfter(error), resetOnSuccess: true }))
      .subscribe((payload) => this.announce(JSON.parse(payload) as Pick<Ticket, 'id' | 'customer'>));
  }

  onModuleDestroy(): void {
    this.subscription?.unsubscribe();
  }

  private announce({ id, customer }: Pick<Ticket, 'id' | 'customer'>): void {
    this.notifier.resourceUpdated(ticketUri(id));
    this.notifier.resourceUpdated(customerUri(customer));
    this.notifier.resourceUpdated(TICKETS_URI);
  }

  private waitAfter(error: Error) {
    this.logger.warn(
      `The database stopped announcing changes (${error.message}); listening again in a second`,
    );
    return timer(RECONNECT_MS);
  }
}
