import { Injectable, type OnModuleInit } from '@nestjs/common';
import { McpExtensions, Tool, type ExtensionHandle, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';

const Report = z.object({ week: z.int(), isOwn: z.boolean().default(false) });

/** An extension that tells its clients of reports. */
@Injectable()
export class ReportsExtension implements OnModuleInit {
  private handle!: ExtensionHandle;

  constructor(private readonly extensions: McpExtensions) {}

  onModuleInit(): void {
    this.handle = this.extensions.register({
      id: 'com.example/reports',
      specVersion: '2026-07-28',
      stability: 'experimental',
      subscriptions: [
        {
          filter: 'reports',
          grant: (asked) => (Array.isArray(asked) ? asked : undefined),
          matches: (weeks, week) => (weeks as readonly unknown[]).includes(week),
        },
      ],
    });
  }

  @Tool({
    description: 'Tells clients of the extension of a report, or the one that calls',
    inputSchema: Report,
  })
  publishReport({ week, isOwn }: z.infer<typeof Report>, { session }: McpContext): string {
    this.handle.notify('notifications/reports/ready', { week }, isOwn ? session?.id : undefined);
    if (!isOwn) this.handle.publish('reports', 'notifications/reports/ready', { week }, week);
    return String(process.pid);
  }
}
