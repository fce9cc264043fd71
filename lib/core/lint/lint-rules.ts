import type { LintRule } from './lint-rule.interface.js';
import { DESCRIPTION_RULES } from './rules/description.rules.js';
import { HOST_RULES } from './rules/host.rules.js';
import { NAME_RULES } from './rules/name.rules.js';
import { PARAMETER_RULES } from './rules/parameter.rules.js';
import { RESULT_RULES } from './rules/result.rules.js';
import { SIZE_RULES } from './rules/size.rules.js';

/** Every rule, in the order in which findings are told. */
export const LINT_RULES: readonly LintRule[] = [
  ...HOST_RULES,
  ...NAME_RULES,
  ...DESCRIPTION_RULES,
  ...PARAMETER_RULES,
  ...RESULT_RULES,
  ...SIZE_RULES,
];
