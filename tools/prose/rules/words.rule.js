import { PATTERNS } from '../patterns.js';
import { WORDS } from '../words.js';
import { defineRule } from './define-rule.js';

/** A rule for each word, phrase and pattern that these texts do without, or have less and less. */
export const wordRules = Object.fromEntries(
  [...WORDS, ...PATTERNS].map(({ rule, pattern, kind: wanted, write }) => [
    rule,
    defineRule(({ text, kind }) =>
      wanted !== undefined && kind !== wanted
        ? []
        : [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
            index,
            message: `Write ${write} instead of "${found}"`,
          })),
    ),
  ]),
);
