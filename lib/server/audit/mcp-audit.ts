import type { Observable } from 'rxjs';
import type { AuditEvent } from './audit-event.js';
import type { AuditTrail } from './audit-trail.js';

/**
 * Stores an event. In the mode `required`, the server answers the operation when the promise resolves, and fails the
 * operation if the promise rejects.
 */
export type AuditWriter = (event: AuditEvent) => void | Promise<void>;

/**
 * Reports who did what on a server, and how it ended, with one event for each operation, including refused ones. While
 * nobody subscribes, no event is made.
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
   * Emits every event before its operation is answered. Completes when the application ends. If a subscriber throws,
   * the error is logged, and nothing else changes.
   */
  get events$(): Observable<AuditEvent> {
    return this.trail.events$;
  }

  /**
   * Calls a function with every event, to store it elsewhere. Returns a function that ends this. In the mode
   * `required`, the server waits until each event is stored. When the application ends, the server waits for the last
   * ones.
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
