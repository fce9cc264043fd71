import { ErrorCode } from '../../protocol/error-codes.js';
import type { JsonObject } from '../../protocol/parse-json-object.js';
import { failure, type Outcome } from '../finding.js';
import { quote } from '../quote.js';

/** Pages of a list that are read; a longer one is examined so far. */
const MOST_PAGES = 20;

/** The part of an answer that tells whether a page came. */
export interface PageAnswer {
  readonly status: number;
  readonly result: JsonObject | undefined;
  readonly error: JsonObject | undefined;
  readonly isComplete: boolean;
}

/** A list that a server gives by pages. */
export interface ListedPages {
  /** What came before the list ended, or something ended it; absent if nothing came at all. */
  readonly entries: readonly unknown[] | undefined;
  /** What keeps clients from reading it; absent if all is well, or if the caller may not read it. */
  readonly outcome?: Outcome | undefined;
}

/** Asks for a page, from a cursor on or from the start. */
type AskForPage = (params: { readonly cursor?: string }) => Promise<PageAnswer>;

/**
 * Lists what a method gives by pages. The list ends where there is no further cursor, at a page that is refused or too long to be read
 * here, and at the bound.
 *
 * @param member the member of the results that has the entries
 */
export async function listPages(ask: AskForPage, method: string, member: string): Promise<ListedPages> {
  const entries: unknown[] = [];
  const cursors = new Set<string>();
  let params: { readonly cursor?: string } = {};
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await ask(params);
    if (isRefused(answer)) return page > 0 ? { entries } : judgeRefusal(method, answer);
    const listed = answer.result?.[member];
    if (!Array.isArray(listed)) return { entries, outcome: judgeMissing(method, member) };
    entries.push(...(listed as readonly unknown[]));
    const cursor = answer.result?.['nextCursor'];
    if (typeof cursor !== 'string') break;
    if (cursors.has(cursor)) return { entries, outcome: judgeRepeated(method, cursor) };
    cursors.add(cursor);
    params = { cursor };
  }
  return { entries };
}

function isRefused({ status, result, error, isComplete }: PageAnswer): boolean {
  return result === undefined && (error !== undefined || status >= 400 || !isComplete);
}

/** What the caller may not read, or may not read now, says nothing of the list. */
function judgeRefusal(method: string, { status, error }: PageAnswer): ListedPages {
  const isOfCaller = [401, 403, 429].includes(status) || error?.['code'] === ErrorCode.RateLimited;
  if (error === undefined || isOfCaller) return { entries: undefined };
  const reason = `${String(error['code']).slice(0, 12)} ${quote(error['message'])}`;
  const fix = 'Answer it, or do not declare it';
  return {
    entries: undefined,
    outcome: failure(`"${method}" is declared, and answered with ${reason}`, fix),
  };
}

function judgeMissing(method: string, member: string): Outcome {
  return failure(
    `"${method}" is answered without a list of ${member}`,
    `Answer it with "${member}", an array`,
  );
}

function judgeRepeated(method: string, cursor: string): Outcome {
  return failure(
    `"${method}" gives the cursor ${quote(cursor)} twice: clients never come to the end`,
    'Give each page a cursor of its own, and the last one none',
  );
}
