/**
 * Words and phrases that these texts do without, and what to write.
 *
 * @type {readonly { rule: string, pattern: RegExp, write: string }[]}
 */
export const WORDS = [
  { rule: 'amongst', pattern: /\bamongst\b|\bamidst\b/gi, write: '"among"' },
  { rule: 'anew', pattern: /\banew\b/gi, write: '"again"' },
  { rule: 'be-it', pattern: /\bbe (?:it|they)\b/gi, write: '"whether it is"' },
  { rule: 'but-for', pattern: /\bbut for\b/gi, write: '"except"' },
  { rule: 'heed', pattern: /\bheed(?:s|ed|ing)?\b/gi, write: '"follow", "read" or "obey"' },
  { rule: 'in-order-to', pattern: /\bin order to\b/gi, write: '"to"' },
  { rule: 'in-place-of', pattern: /\bin (?:the )?place of\b|\bin lieu of\b/gi, write: '"instead of"' },
  { rule: 'in-the-event', pattern: /\bin the event (?:that|of)\b|\bin case of\b/gi, write: '"if"' },
  {
    rule: 'makes-up',
    pattern: /\bmakes? up\b|\bmade up\b|\bmaking up\b/gi,
    write: '"makes", "invents" or "generates"',
  },
  { rule: 'nor-do', pattern: /\bnor (?:are|can|did|do|does|has|have|is|was|will)\b/gi, write: '"and … not"' },
  { rule: 'own-accord', pattern: /\bof (?:its|their) own accord\b/gi, write: '"without being asked"' },
  { rule: 'owing-to', pattern: /\b(?:owing|due) to the fact that\b|\binasmuch as\b/gi, write: '"because"' },
  { rule: 'prior-to', pattern: /\bprior to\b|\bpreviously to\b/gi, write: '"before"' },
  { rule: 'save-for', pattern: /\bsave for\b/gi, write: '"except"' },
  { rule: 'tells-of', pattern: /\b(?:tells?|telling) of\b/gi, write: '"says", "reports" or "announces"' },
  {
    rule: 'there-words',
    pattern:
      /\b(?:albeit|forthwith|henceforth|hereby|herewith|hitherto|lest|thence|thereby|therein|thereof|thereupon|whence|wherein|whereof|whereupon|whilst)\b/gi,
    write: 'a word that people say',
  },
  { rule: 'upon', pattern: /\bupon\b/gi, write: '"on" or "when"' },
  { rule: 'utilise', pattern: /\butili[sz](?:e|es|ed|ing)\b|\bmakes? use of\b/gi, write: '"use"' },
  {
    rule: 'whatever-it',
    pattern: /\bwhatever (?:it|its|one|that|their|these|they|this|those)\b/gi,
    write: '"everything that", "any" or "whether or not"',
  },
  { rule: 'which-is-to-say', pattern: /\bthat is to say\b|\bto wit\b|\bviz\b/gi, write: 'the thing itself' },
];
