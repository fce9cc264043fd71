/** Longer words are cut: nobody means what comes behind. */
const LONGEST_WORD = 64;

/** Runs of letters and digits, with the marks that belong to letters. */
const RUN = /[\p{L}\p{N}\p{M}]+/gu;

/** Where a name such as `closeTicket` or `HTTPServer2` begins another word. */
const INNER_START = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** Scripts that do not put spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const ACCENTS = /(?<=\p{Script=Latin})\p{M}+/gu;

let segmenter: Intl.Segmenter | undefined;

/**
 * Splits a text into words for searching. They are in lower case, names are split into parts, and Latin letters lose
 * their accents.
 *
 * @example
 * splitWords('closeTicket: schließt ein Ticket, Café'); // ['close', 'ticket', 'schließt', 'ein', 'ticket', 'cafe']
 */
export function splitWords(text: string): string[] {
  const runs = text.normalize('NFKD').match(RUN) ?? [];
  return runs.flatMap((run) => run.replace(ACCENTS, '').normalize('NFC').split(INNER_START)).flatMap(fold);
}

function fold(word: string): string[] {
  const folded = word.toLowerCase();
  return (UNSPACED.test(folded) ? segment(folded) : [folded]).map((part) => part.slice(0, LONGEST_WORD));
}

function segment(text: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return [...segmenter.segment(text)].map(({ segment: part }) => part);
}
