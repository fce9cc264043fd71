/**
 * Patterns that read as translated, and what a native writer writes. They are counted rather than refused: `most` limits how often each stands in the
 * pages, and in the comments and texts of each folder of sources. Limits only fall: lower one with each text that you reword.
 *
 * @type {readonly { rule: string, pattern: RegExp, kind?: 'Header' | 'TableCell', write: string, most: Readonly<Record<Area, number>> }[]}
 * @typedef {'pages' | 'lib' | 'cli' | 'explorer'} Area
 */
export const PATTERNS = [
  {
    rule: 'instrumental-by',
    pattern:
      /(?<!\b\p{L}*(?:ed|en|wn|nt|ld|pt|ut|ade|ound|one|un|set|read) )\bby (?!default\b|hand\b|itself\b)/giu,
    write: '"with", "using", or a verb',
    most: { pages: 32, lib: 215, cli: 119, explorer: 20 },
  },
  {
    rule: 'answer-for-response',
    pattern: /\banswer(?:s|ed|ing)?\b/gi,
    write: '"response" or "responds"; "answer" is for what users say',
    most: { pages: 30, lib: 153, cli: 100, explorer: 40 },
  },
  {
    rule: 'machine-says',
    pattern: /\b(?:says?|said|tells?|told)\b/gi,
    write: '"reports", "contains", "notifies" or "specifies"',
    most: { pages: 5, lib: 76, cli: 153, explorer: 70 },
  },
  {
    rule: 'that-of',
    pattern: /\b(?:that|those) of\b|\bone that\b/gi,
    write: 'the noun again',
    most: { pages: 10, lib: 54, cli: 66, explorer: 12 },
  },
  {
    rule: 'the-same-cell',
    pattern: /^the same\b/gi,
    kind: 'TableCell',
    write: 'what it is',
    most: { pages: 0, lib: 0, cli: 0, explorer: 0 },
  },
  {
    rule: 'text-for-string',
    pattern: /\btexts?\b(?! content)/gi,
    write: '"string", "message" or "content"',
    most: { pages: 17, lib: 36, cli: 65, explorer: 10 },
  },
  {
    rule: 'question-heading',
    pattern: /^(?:How|The|What|When|Where|Who|Whose|Why)\b/g,
    kind: 'Header',
    write: "an imperative, or a noun with the field's word",
    most: { pages: 60, lib: 0, cli: 0, explorer: 0 },
  },
  {
    rule: 'british-spelling',
    pattern:
      /\b(?:behaviour|catalogue|centre|colour|defence|favour|honour|labour|licence|neighbour)\p{L}*|\b\p{L}+(?:ogni|ali|tori|ori|imi|ni)s(?:e|es|ed|ing|ation)\b(?<!\b(?:promis|prais|rais|pris|apprais|nois)\p{L}*)/giu,
    write: 'the American spelling, as MCP, OAuth and Nest have it',
    most: { pages: 0, lib: 0, cli: 0, explorer: 0 },
  },
  {
    rule: 'keep',
    pattern: /\b(?:keeps?|kept|keeping)\b/gi,
    write: '"stores", "caches" or "retains"',
    most: { pages: 6, lib: 74, cli: 37, explorer: 15 },
  },
  {
    rule: 'come',
    pattern: /\b(?:comes?|came|coming)\b/gi,
    write: '"arrives", "is sent" or "reconnects"',
    most: { pages: 5, lib: 73, cli: 53, explorer: 25 },
  },
  {
    rule: 'take',
    pattern: /\b(?:takes?|took|taken|taking)\b/gi,
    write: '"accepts", "requires" or "lasts"',
    most: { pages: 10, lib: 112, cli: 100, explorer: 21 },
  },
  {
    rule: 'nobody',
    pattern: /\b(?:anybody|everybody|nobody|somebody|whoever)\b/gi,
    write: '"no client", "any client" or "unauthenticated clients"',
    most: { pages: 5, lib: 29, cli: 32, explorer: 46 },
  },
  {
    rule: 'at-once',
    pattern: /\b(?:all the time|at once|for ever|meanwhile|now and then)\b/gi,
    write: '"immediately", "concurrently" or "continuously"',
    most: { pages: 1, lib: 26, cli: 7, explorer: 7 },
  },
  {
    rule: 'own',
    pattern: /\bof (?:its|their|your) own\b|\bof yours\b/gi,
    write: '"custom", "separate" or "your"',
    most: { pages: 6, lib: 16, cli: 21, explorer: 6 },
  },
  {
    rule: 'hyphenated-noun',
    pattern: /\b(?:hand-over|look-up|set-up|shut-down|time-out)s?\b/gi,
    write: 'one word',
    most: { pages: 0, lib: 0, cli: 2, explorer: 1 },
  },
];
