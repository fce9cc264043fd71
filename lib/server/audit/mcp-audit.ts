import type { Observable } from 'rxjs';
import type { AuditEvent } from './audit-event.js';
import type { AuditTrail } from './audit-trail.js';

/**
 * Stores an event. In the mode `required`, the server responds when the promise resolves, and fails the operation if
 * it rejects.
 */
export type AuditWriter = (event: AuditEvent) => void | Promise<void>;

/**
 * Reports who did what on a server, with which outcome: one event per operation, including refused ones. Without a
 * subscriber, no events are created.
 *
 * @example
 * class AuditLog implements OnModuleInit { constructor(private readonly audit: McpAudit) {}
 *
 *   onModuleInit() {
 *     this.audit.events$.subscribe((event) => console.log(JSON.stringify(event)));
 *   }
 * }
 */
export class McpAudit {
  constructor(private readonly trail: AuditTrail) {}

  /**
   * Emits every event before the response is sent. Completes when the application shuts down. An error that a
   * subscriber throws is logged, and nothing else happens.
   */
  get events$(): Observable<AuditEvent> {
    return this.trail.events$;
  }

  /**
   * Calls a function with every event, to store it elsewhere. Returns a function that unsubscribes. In the mode
   * `required`, the server waits until each event is stored. On shutdown, it waits for the last ones.
   *
   * @example
   * onModuleInit() {
   *   this.audit.writeTo(async (event) => this.table.insert(event));
   * }
   */
  writeTo(write: AuditWriter): () => void {
    const subscription = this.trail.events$.subscribe((event) => write(event));
    return () => subscription.unsubscribe();
  }
}
