import { quoteAll } from '../words/quote-all.js';
import { rankNames } from './find-closest-name.js';
import { MOST_SUGGESTIONS, suggestOptions } from './suggest-option.js';

/** What options there are, and how their names are told. */
interface KnownOptions {
  readonly known: readonly string[];
  /** The option that has the unknown name elsewhere. */
  readonly alias: string | undefined;
  readonly qualify: (name: string) => string;
}

/** Nobody finds a name among more of them. */
const MOST_LISTED = 16;

/** Says that an option is not known, and which ones may be meant. */
export function explainUnknown(name: string, { known, alias, qualify }: KnownOptions): string {
  const near = alias === undefined ? suggestOptions(name, known) : [alias];
  const hint = near.length === 0 ? '' : `(did you mean ${quoteAll(near.map(qualify), ' or ')}?) `;
  return `${hint}is not known${listKnown(name, known, near)}`;
}

function listKnown(name: string, known: readonly string[], near: readonly string[]): string {
  if (known.length <= MOST_LISTED) return `: use one of ${known.join(', ')}`;
  if (near.length > 0) return '';
  const similar = quoteAll(rankNames(name, known).slice(0, MOST_SUGGESTIONS));
  return `: the most similar ones are ${similar}; see all of them on the page "Configuration"`;
}
