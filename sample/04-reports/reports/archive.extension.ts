import { Injectable, type OnModuleInit } from '@nestjs/common';
import { McpExtensions, type ExtensionContext } from 'nestjs-mcp';
import type { Report } from './report.js';
import { ReportsService } from './reports.service.js';

/** Reports that are kept; the oldest go. */
const MOST_REPORTS = 100;

/** An extension of the office's own: clients that declare it list the reports that are finished. */
@Injectable()
export class ArchiveExtension implements OnModuleInit {
  readonly #reports: Report[] = [];

  constructor(
    private readonly extensions: McpExtensions,
    private readonly reports: ReportsService,
  ) {}

  onModuleInit(): void {
    this.reports.finished$.subscribe((report) => this.#keep(report));
    // One of the protocol, or of another vendor, has its settings as "published" instead of the next three.
    this.extensions.register({
      id: 'com.example/report-archive',
      specVersion: '1.0.0',
      stability: 'experimental',
      config: { keeps: MOST_REPORTS },
      methods: [{ method: 'archive/list', handle: (context) => this.#list(context) }],
    });
  }

  #keep(report: Report): void {
    this.#reports.push(report);
    if (this.#reports.length > MOST_REPORTS) this.#reports.shift();
  }

  #list({ auth }: ExtensionContext) {
    const own = this.#reports.filter(({ owner }) => owner === auth.claims?.sub);
    return { reports: own.map(({ number, topic }) => ({ number, topic })) };
  }
}
