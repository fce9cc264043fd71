import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Subject, type Observable } from 'rxjs';
import { CHAPTERS, type Draft, type Report } from './report.js';

/** The token of the milliseconds that a chapter takes. */
export const CHAPTER_MS = Symbol('CHAPTER_MS');

/** The office where reports are written. It knows nothing of MCP. */
@Injectable()
export class ReportsService {
  readonly #finished = new Subject<Report>();
  #count = 0;

  constructor(@Inject(CHAPTER_MS) private readonly chapterMs: number) {}

  /** Emits each report when it is finished. */
  get finished$(): Observable<Report> {
    return this.#finished.asObservable();
  }

  begin(topic: string, owner: string | undefined): Draft {
    return { topic, owner, chapters: [] };
  }

  /** Writes the next chapter, unless the signal says before that nobody wants it any more. */
  async writeChapter({ topic, chapters }: Draft, signal: AbortSignal): Promise<void> {
    await delay(this.chapterMs, undefined, { signal });
    chapters.push(`${CHAPTERS[chapters.length] ?? 'Notes'}: nothing unusual about ${topic}.`);
  }

  finish(draft: Draft, format: Report['format']): Report {
    this.#count += 1;
    const [before, after] = format === 'html' ? ['<p>', '</p>'] : ['', ''];
    const text = draft.chapters.map((chapter) => before + chapter + after).join('\n');
    const report = { ...draft, format, text, number: `R-${this.#count}` };
    this.#finished.next(report);
    return report;
  }
}
