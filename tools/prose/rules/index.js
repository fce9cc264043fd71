import { ifNotWhere } from './if-not-where.rule.js';
import { repeatedWords } from './repeated-words.rule.js';
import { sentenceLength } from './sentence-length.rule.js';
import { shortCells } from './short-cells.rule.js';
import { wordRules } from './words.rule.js';

/** All rules of textlint, by their names. */
export const RULES = {
  ...wordRules,
  'if-not-where': ifNotWhere,
  'repeated-words': repeatedWords,
  'sentence-length': sentenceLength,
  'short-cells': shortCells,
};
