import { WORDS } from '../words.js';
import { defineRule } from './define-rule.js';

/** A rule for each word and phrase that these texts do without. */
export const wordRules = Object.fromEntries(
  WORDS.map(({ rule, pattern, write }) => [
    rule,
    defineRule(({ text }) =>
      [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
        index,
        message: `Write ${write} instead of "${found}"`,
      })),
    ),
  ]),
);
