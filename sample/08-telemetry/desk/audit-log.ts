import { Injectable, type OnModuleInit } from '@nestjs/common';
import { McpAudit } from 'nestjs-mcp';

/** Prints the audit: a line of JSON for each event, as log collectors read it. */
@Injectable()
export class AuditLog implements OnModuleInit {
  constructor(private readonly audit: McpAudit) {}

  onModuleInit(): void {
    this.audit.events$.subscribe((event) => process.stdout.write(`${JSON.stringify(event)}\n`));
  }
}
