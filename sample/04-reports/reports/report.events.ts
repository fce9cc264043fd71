import { Injectable } from '@nestjs/common';
import { EventSource } from 'nestjs-mcp';
import { map, type Observable } from 'rxjs';
import { FinishedReport } from './report.js';
import { ReportsService } from './reports.service.js';

@Injectable()
export class ReportEvents {
  constructor(private readonly reports: ReportsService) {}

  /** One Observable for all who listen: the filter gives each of them what is theirs. */
  @EventSource<FinishedReport>({
    name: 'report.finished',
    title: 'Finished reports',
    description: 'Tells when a report of yours is finished.',
    payloadSchema: FinishedReport,
    eventId: ({ number }) => number,
    filter: ({ owner }, { claims }) => owner === claims?.sub,
  })
  finished(): Observable<FinishedReport> {
    return this.reports.finished$.pipe(
      map(({ number, topic, format, owner }) => ({ number, topic, format, ...(owner && { owner }) })),
    );
  }
}
