import {
  assertMembers,
  callable,
  either,
  fail,
  flag,
  list,
  members,
  object,
  oneOrSeveral,
  positive,
  required,
  text,
  type Check,
  type Checks,
} from '../../../core/checks/option-checks.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { SkillOptions } from '../extensions/skills-options.interface.js';

/** Characters that a URI can contain without encoding, so that it stays readable. */
const PREFIX = /^[A-Za-z0-9_~-][A-Za-z0-9._~-]*(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$/;

const prefix: Check = (option, value) => {
  if (typeof value === 'string' && PREFIX.test(value)) return;
  fail(option, 'must be a path such as "acme/billing", of letters, digits, "-", "_", "." and "~"');
};

const DIRECTORY = members({
  path: required(text, '"skills"'),
  prefix,
  requiredScopes: list(text),
  isPublic: flag,
  visible: callable,
});

/** Checks the option `skills`. */
export const assertSkillsOptions: Check = members({
  directory: oneOrSeveral(either('string', text, DIRECTORY)),
  watch: flag,
  maximumSkills: positive,
});

const SKILL: Readonly<Record<keyof SkillOptions, Check>> = {
  name: text,
  description: text,
  frontmatter: (option, value) => {
    object(option, value);
    for (const name of ['name', 'description']) {
      if (Object.hasOwn(value as object, name)) fail(`${option}.${name}`, `must stand in "${name}"`);
    }
  },
  prefix,
  directory: text,
  tags: list(text),
  dynamic: flag,
  visible: callable,
};

const ALIASES = new Map([
  ['path', 'directory'],
  ['folder', 'directory'],
  ['metadata', 'frontmatter'],
  ['license', 'frontmatter'],
]);

/**
 * Checks what `@Skill()` was given.
 *
 * @throws {OptionError} that names the first option that is wrong
 */
export function assertSkillOptions(options: unknown): void {
  const { requiredScopes, isPublic } = isObject(options) ? options : ({} as Checks);
  if (requiredScopes !== undefined)
    fail('requiredScopes', 'is no option of it: put @RequireScope() beside it');
  if (isPublic !== undefined) fail('isPublic', 'is no option of it: put @Public() beside it');
  assertMembers('', options, SKILL, ALIASES);
}
