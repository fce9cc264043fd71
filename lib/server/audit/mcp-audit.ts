import { Injectable } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { AuditEvent } from './audit-event.interface.js';
import { AuditTrail } from './audit-trail.js';

/** Keeps an event. In the mode `required`, the operation is answered when the promise resolves, and fails if it rejects. */
export type AuditWriter = (event: AuditEvent) => void | Promise<void>;

/**
 * Tells who did what on a server, and how it ended: one event for each operation, including refused ones. While nobody
 * subscribes, no event is made.
 *
 * @example
 * class AuditLog implements OnModuleInit { constructor(private readonly audit: McpAudit) {}
 *
 *   onModuleInit() {
 *     this.audit.events$.subscribe((event) => console.log(JSON.stringify(event)));
 *   }
 * }
 */
@Injectable()
export class McpAudit {
  constructor(private readonly trail: AuditTrail) {}

  /**
   * Emits every event, before its operation is answered, and completes when the application ends. If a subscriber throws or
   * rejects, the log says so, and nobody else notices.
   */
  get events$(): Observable<AuditEvent> {
    return this.trail.events$;
  }

  /**
   * Calls a function with every event, to keep it elsewhere. Returns a function that ends this. The server knows when an event
   * is kept, waits for it in the mode `required`, and waits for the last ones when the application ends.
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
