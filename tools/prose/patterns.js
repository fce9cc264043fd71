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
    most: { pages: 28, lib: 132, cli: 8, explorer: 1 },
  },
  {
    rule: 'answer-for-response',
    pattern: /\banswer(?:s|ed|ing)?\b/gi,
    write: '"response" or "responds"; "answer" is for what users say',
    most: { pages: 21, lib: 8, cli: 5, explorer: 0 },
  },
  {
    rule: 'machine-says',
    pattern: /\b(?:says?|said|tells?|told)\b/gi,
    write: '"reports", "contains", "notifies" or "specifies"',
    most: { pages: 1, lib: 1, cli: 0, explorer: 0 },
  },
  {
    rule: 'that-of',
    pattern: /\b(?:that|those) of\b|\bone that\b/gi,
    write: 'the noun again',
    most: { pages: 7, lib: 37, cli: 3, explorer: 1 },
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
    most: { pages: 17, lib: 33, cli: 4, explorer: 1 },
  },
  {
    rule: 'question-heading',
    pattern: /^(?:How|The|What|When|Where|Who|Whose|Why)\b/g,
    kind: 'Header',
    write: "an imperative, or a noun with the field's word",
    most: { pages: 19, lib: 0, cli: 0, explorer: 0 },
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
    most: { pages: 5, lib: 37, cli: 6, explorer: 1 },
  },
  {
    rule: 'come',
    pattern: /\b(?:comes?|came|coming)\b/gi,
    write: '"arrives", "is sent" or "reconnects"',
    most: { pages: 4, lib: 24, cli: 0, explorer: 1 },
  },
  {
    rule: 'take',
    pattern: /\b(?:takes?|took|taken|taking)\b/gi,
    write: '"accepts", "requires" or "lasts"',
    most: { pages: 8, lib: 74, cli: 2, explorer: 1 },
  },
  {
    rule: 'nobody',
    pattern: /\b(?:anybody|everybody|nobody|somebody|whoever)\b/gi,
    write: '"no client", "any client" or "unauthenticated clients"',
    most: { pages: 1, lib: 2, cli: 0, explorer: 0 },
  },
  {
    rule: 'at-once',
    pattern: /\b(?:all the time|at once|for ever|meanwhile|now and then)\b/gi,
    write: '"immediately", "concurrently" or "continuously"',
    most: { pages: 0, lib: 1, cli: 0, explorer: 0 },
  },
  {
    rule: 'own',
    pattern: /\bof (?:its|their|your) own\b|\bof yours\b/gi,
    write: '"custom", "separate" or "your"',
    most: { pages: 1, lib: 2, cli: 0, explorer: 0 },
  },
  {
    rule: 'hyphenated-noun',
    pattern: /\b(?:hand-over|look-up|set-up|shut-down|time-out)s?\b/gi,
    write: 'one word',
    most: { pages: 0, lib: 0, cli: 0, explorer: 0 },
  },
  {
    rule: 'genitive',
    pattern: /\bthe \w+ of (?:an?|the|its|their|each|every) \w+/gi,
    write: `a compound, or the possessive: "a session's streams", "the tool name"`,
    most: { pages: 180, lib: 694, cli: 218, explorer: 23 },
  },
  {
    rule: 'is-no',
    pattern: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|other\b|need\b)\w+/gi,
    write: '"is not a", or "there is no"',
    most: { pages: 0, lib: 0, cli: 0, explorer: 0 },
  },
  {
    rule: 'as-has-it',
    pattern:
      /\bas (?:an?|the|its|their|your|each)? ?[\w`.-]+(?: \w+)? (?:has|have|wants?|gives?|names?) (?:it|them)\b/gi,
    write: '"in the form that …", or "according to"',
    most: { pages: 0, lib: 1, cli: 1, explorer: 0 },
  },
  {
    rule: 'leave-out',
    pattern: /\b(?:leaves?|left|leaving)(?: (?:it|them|this|that|one))? out\b/gi,
    write: '"omit" or "remove"',
    most: { pages: 5, lib: 3, cli: 1, explorer: 0 },
  },
  {
    rule: 'is-over',
    pattern: /\b(?:is|are|was|were) (?:all )?over\b(?! \w)/gi,
    write: '"has ended" or "has expired"',
    most: { pages: 1, lib: 0, cli: 0, explorer: 0 },
  },
  {
    rule: 'none-but',
    pattern: /\b(?:no one|none|nothing|no \w+) (?:else )?(?:but|than)\b/gi,
    write: '"only"',
    most: { pages: 5, lib: 2, cli: 0, explorer: 0 },
  },
];
