import type { Observable } from 'rxjs';
import type { AuditEvent } from './audit-event.js';
import type { AuditTrail } from './audit-trail.js';

/**
 * Stores an event. In `required` mode, the server responds when the promise resolves, and fails the operation if the
 * promise rejects.
 */
export type AuditWriter = (event: AuditEvent) => void | Promise<void>;

/**
 * Publishes an audit event for each operation of a server, including refused ones, with its caller, target and outcome. Without a
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
   * Emits every event before the response is sent. Completes when the application shuts down. Errors that subscribers
   * throw are only logged.
   */
  get events$(): Observable<AuditEvent> {
    return this.trail.events$;
  }

  /**
   * Calls a function with every event, for example to store it. Returns a function that unsubscribes. In `required`
   * mode, the server waits until each event is stored. On shutdown, it waits for the last events.
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
