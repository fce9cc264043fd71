import { z } from 'zod';

/** What every report is made of; each chapter takes its time. */
export const CHAPTERS = ['Sales', 'Returns', 'Stock', 'Suppliers', 'Costs', 'Outlook'] as const;

export const Format = z.enum(['text', 'html']);

export interface Draft {
  readonly topic: string;
  /** Who wants it. */
  readonly owner: string | undefined;
  readonly chapters: string[];
}

export interface Report extends Draft {
  readonly number: string;
  readonly format: z.infer<typeof Format>;
  readonly text: string;
}

/** What is told of a report that is finished. */
export const FinishedReport = z.object({
  number: z.string(),
  topic: z.string(),
  format: Format,
  owner: z.string().optional(),
});

export type FinishedReport = z.infer<typeof FinishedReport>;
