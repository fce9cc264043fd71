import { Module, type DynamicModule } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { ArchiveExtension } from './reports/archive.extension.js';
import { ReportEvents } from './reports/report.events.js';
import { ReportSkills } from './reports/report.skills.js';
import { ReportTools } from './reports/report.tools.js';
import { CHAPTER_MS, ReportsService } from './reports/reports.service.js';

export interface ReportsOptions {
  /** What opens the server; whoever has it is Ada. */
  readonly token: string;
  /** How long a chapter takes. */
  readonly chapterMs: number;
}

@Module({})
export class ReportsModule {
  static with({ token, chapterMs }: ReportsOptions): DynamicModule {
    const mcp = McpModule.forRoot({
      serverInfo: { name: 'reports', title: 'Report office', version: '1.0.0' },
      // A webhook and a task belong to whoever asked for them, so the server has to know who that is.
      auth: { bearer: { token, subject: 'ada' } },
      tasks: { pollIntervalMs: Math.ceil(chapterMs / 4) },
      // For receivers on this machine; leave both out, and webhooks go to public addresses by HTTPS alone.
      events: { webhooks: { allowHttp: true, allowPrivateAddresses: true } },
    });
    return {
      module: ReportsModule,
      imports: [mcp],
      providers: [
        { provide: CHAPTER_MS, useValue: chapterMs },
        ReportsService,
        ReportTools,
        ReportEvents,
        ReportSkills,
        ArchiveExtension,
      ],
    };
  }
}
