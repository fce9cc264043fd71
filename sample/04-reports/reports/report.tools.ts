import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import { CHAPTERS, Format, type Draft } from './report.js';
import { ReportsService } from './reports.service.js';

const Wish = z.object({ topic: z.string().min(3).describe('What the report is about') });

const Choice = z.object({ format: Format.default('text').meta({ title: 'Format' }) });

const HALF = CHAPTERS.length / 2;

@Injectable()
export class ReportTools {
  constructor(private readonly reports: ReportsService) {}

  /** As a task the handler runs once, from beginning to end: it may ask when half of the work is done. */
  @Tool({
    name: 'write_report',
    title: 'Write a report',
    description:
      'Writes a report of six chapters, which takes a minute. Half-way the user chooses its format.',
    inputSchema: Wish,
    task: 'required',
    ttlMs: 15 * 60_000,
    annotations: { destructiveHint: false, openWorldHint: false },
  })
  async write({ topic }: z.infer<typeof Wish>, context: McpContext) {
    const draft = this.reports.begin(topic, context.auth.claims?.sub);
    await this.#writeUntil(HALF, draft, context);
    const message = `Half of "${topic}" is written. Go on, and in which format?`;
    const answer = await context.elicit({ key: 'format', message, schema: Choice });
    if (answer.action !== 'accept') return `"${topic}" was left unfinished: the user does not want it.`;
    await this.#writeUntil(CHAPTERS.length, draft, context);
    const { number, format, text } = this.reports.finish(draft, answer.content.format);
    return { number, topic, format, text };
  }

  /** The message is for whoever looks at the task, progress for a session that asked for it. */
  async #writeUntil(end: number, draft: Draft, context: McpContext): Promise<void> {
    const { chapters } = draft;
    while (chapters.length < end) {
      const title = CHAPTERS[chapters.length] ?? '';
      context.task?.setStatusMessage(`Chapter ${chapters.length + 1} of ${CHAPTERS.length}: ${title}`);
      await this.reports.writeChapter(draft, context.signal);
      context.progress(chapters.length, CHAPTERS.length, title);
    }
  }
}
