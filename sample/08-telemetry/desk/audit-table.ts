import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { McpAudit, type AuditEvent } from 'nestjs-mcp';

/** What is needed of a database: `Pool` of `pg` has it, and so has PGlite. */
export interface Database {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

export const DATABASE = Symbol('database');

export const CREATE_TABLE = `
  CREATE TABLE IF NOT EXISTS mcp_audit (
    id uuid PRIMARY KEY,
    time timestamptz NOT NULL,
    type text NOT NULL,
    server text NOT NULL,
    process text,
    transport text,
    subject text,
    issuer text,
    client_id text,
    identity text,
    address text,
    session text,
    method text,
    target text,
    arguments text,
    task text,
    outcome text NOT NULL,
    reason text,
    error_code integer,
    http_status integer,
    used_scopes text[] NOT NULL,
    missing_scopes text[] NOT NULL,
    duration_ms double precision NOT NULL,
    request_bytes bigint NOT NULL,
    answer_bytes bigint NOT NULL,
    trace_id text,
    incident text
  )`;

/** One parameter holds any number of rows. A row that comes a second time is there already. */
const INSERT = `
  INSERT INTO mcp_audit
  SELECT * FROM jsonb_populate_recordset(NULL::mcp_audit, $1::jsonb)
  ON CONFLICT DO NOTHING`;

/**
 * Keeps the audit in a table. One statement runs at a time, with everything that came since the one before: the slower the database, the
 * larger the batches. `audit.maxPending` bounds what waits.
 */
@Injectable()
export class AuditTable implements OnModuleInit {
  private waiting: AuditEvent[] = [];
  private next: Promise<void> | undefined;
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly audit: McpAudit,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.database.query(CREATE_TABLE);
    this.audit.writeTo((event) => this.write(event));
  }

  /** Resolves when the event is in the table. */
  private write(event: AuditEvent): Promise<void> {
    this.waiting.push(event);
    this.next ??= this.last = this.last.catch(() => undefined).then(() => this.insert());
    return this.next;
  }

  private async insert(): Promise<void> {
    const events = this.waiting;
    this.waiting = [];
    this.next = undefined;
    await this.database.query(INSERT, [JSON.stringify(events.map(toRow))]);
  }
}

function toRow({ caller, http, arguments: given, ...event }: AuditEvent): Record<string, unknown> {
  return {
    id: event.id,
    time: event.time,
    type: event.type,
    server: event.server,
    process: event.process,
    transport: event.transport,
    subject: caller.subject,
    issuer: caller.issuer,
    client_id: caller.clientId,
    identity: caller.identity,
    address: caller.address,
    session: event.session,
    method: event.method,
    target: event.target,
    arguments: given === undefined ? undefined : JSON.stringify(given),
    task: event.task,
    outcome: event.outcome,
    reason: event.reason,
    error_code: event.errorCode,
    http_status: http?.status,
    used_scopes: event.usedScopes,
    missing_scopes: event.missingScopes,
    duration_ms: event.durationMs,
    request_bytes: event.requestBytes,
    answer_bytes: event.answerBytes,
    trace_id: event.traceId,
    incident: event.incident,
  };
}
