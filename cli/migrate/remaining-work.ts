import { MARK } from './counterparts/decisions.js';

/** A place that is left to a person. */
export interface RemainingWork {
  readonly path: string;
  readonly line: number;
  /** What it is, and what to do. */
  readonly text: string;
  /** The section of the page that explains it. */
  readonly page: string;
}

const COMMENT = new RegExp(`${MARK.replaceAll(/[()]/g, String.raw`\$&`)}: (.*?) See (\\S+)$`);

/** Finds the places that a person has to decide: this and earlier runs of the command have marked them. */
export function findRemainingWork(
  files: readonly { readonly path: string; readonly text: string }[],
): readonly RemainingWork[] {
  return files.flatMap(({ path, text }) =>
    text.split(/\r?\n/).flatMap((line, index) => {
      const [, said = '', page = ''] = COMMENT.exec(line.trimEnd()) ?? [];
      return page === '' ? [] : [{ path, line: index + 1, text: said, page }];
    }),
  );
}

/** Lists them with what to do. */
export function formatRemainingWork(places: readonly RemainingWork[]): string {
  const lines = places.map(({ path, line, text, page }) => `  ${path}:${line}\n    ${text}\n    See ${page}`);
  return ['Left to you:', ...lines].join('\n');
}
