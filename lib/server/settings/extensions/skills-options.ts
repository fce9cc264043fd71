import * as check from '../../../core/checks/option-checks.js';
import type { Check, Checks } from '../../../core/checks/option-checks.js';
import { nested, optionGroup } from '../../../core/checks/option-group.js';
import type { OpenObject } from '../../../core/protocol/capabilities.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { VisibilityContext } from '../scoped-call.interface.js';

/** Serves skills from folders, and limits them. */
export interface SkillsOptions {
  /**
   * The skills' folder, or several. Each subfolder with a `SKILL.md` is a skill. Paths are relative to the working
   * directory.
   * @default none: only providers with `@Skill()` serve skills
   */
  readonly directory?: string | SkillDirectory | readonly (string | SkillDirectory)[];
  /**
   * Watches the folders, and notifies clients of changes.
   * @default false if `NODE_ENV` is `production`, otherwise true
   */
  readonly watch?: boolean;
  /**
   * The maximum number of skills on the server, from all folders and providers. With more, the server does not start.
   * @default 1000
   */
  readonly maxSkills?: number;
}

/** A skills folder, and who may access its skills. */
export interface SkillDirectory {
  /** The folder. Paths are relative to the working directory. */
  readonly path: string;
  /** The prefix of its skills' URIs, for example `acme/billing`. @default none */
  readonly prefix?: string;
  /** Scopes that a token must have to read its skills. @default none: any valid token is accepted */
  readonly requiredScopes?: readonly string[];
  /** Makes its skills readable without a token on a server that requires tokens. @default false */
  readonly isPublic?: boolean;
  /** Decides whether a caller sees its skills. For other callers, they do not exist. @default every caller sees them */
  visible?(context: VisibilityContext): boolean | Promise<boolean>;
}

/**
 * Describes a skill that a provider serves.
 *
 * @see MCP extension skills
 */
export interface SkillOptions {
  /**
   * The name: lower-case letters, digits and single hyphens between them. @default the method or class name in kebab
   * case (`dailyReport()` is `daily-report`, `RefundsSkill` is `refunds`), or the folder name with `directory`
   */
  readonly name?: string;
  /** Describes to a model what the skill does and when to use it. Required, except with `directory`. */
  readonly description?: string;
  /** Additional frontmatter properties, such as `license` and `metadata`. @default none */
  readonly frontmatter?: OpenObject;
  /** The prefix of the skill's URI, for example `acme/billing`. @default none */
  readonly prefix?: string;
  /**
   * Serves this folder, which contains a `SKILL.md`. Only a class can have this option. Paths are relative to the
   * working directory.
   * @default none
   */
  readonly directory?: string;
  /**
   * Tags that group skills. `forFeature` selects skills with them, and resource lists show them in `_meta`.
   * @default none
   */
  readonly tags?: readonly string[];
  /**
   * Generates the content for each caller that reads it. Clients then cannot verify the content.
   * @default false: it is generated once, when the server starts
   */
  readonly dynamic?: boolean;
  /**
   * Decides whether a caller sees it. For other callers, it does not exist. If the function throws, the skill is hidden
   * and the error is logged.
   * @default every caller sees it
   */
  visible?(context: VisibilityContext): boolean | Promise<boolean>;
}

/** A skill's content from a provider. */
export interface SkillContents {
  /** The Markdown of `SKILL.md` after the frontmatter, which is generated from the options. */
  readonly instructions: string;
  /** Other files, keyed by their path in the skill, for example `references/fees.md`. @default none */
  readonly files?: { readonly [path: string]: string | Uint8Array };
}

/**
 * A class with `@Skill()` and without `directory`.
 *
 * @example
 * // Behind @Skill({ description: 'Process customer refunds by company policy.' })
 * class RefundsSkill implements SkillSource { constructor(private readonly policy: Policy) {}
 *   contents() {
 *     return { instructions: 'Read references/rate-limiting.md first …', files: { 'references/rate-limiting.md':
 * this.policy.limits() } };
 *   }
 * }
 */
export interface SkillSource {
  /** Returns the content, or only the instructions. */
  contents(...parameters: never[]): SkillContents | string | Promise<SkillContents | string>;
}

/** Characters that a URI can contain unencoded, so that it remains readable. */
const PREFIX = /^[A-Za-z0-9_~-][A-Za-z0-9._~-]*(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$/;

const prefix: Check = (option, value) => {
  if (typeof value === 'string' && PREFIX.test(value)) return;
  check.fail(
    option,
    'must be a path such as "acme/billing", consisting of letters, digits, "-", "_", "." and "~"',
  );
};

const DIRECTORY = optionGroup<SkillDirectory, 'prefix' | 'requiredScopes' | 'visible'>({
  path: check.required(check.nonEmptyString, '"skills"'),
  prefix,
  requiredScopes: check.list(check.nonEmptyString),
  isPublic: [check.flag, false],
  visible: check.callable,
});

export const SKILLS = optionGroup<SkillsOptions, 'directory'>({
  directory: nested(
    check.oneOrMore(check.either('string', check.nonEmptyString, DIRECTORY.check)),
    DIRECTORY,
  ),
  watch: [check.flag, () => process.env['NODE_ENV'] !== 'production'],
  maxSkills: [check.positive, 1000],
});

/** The method that a skill class must have. */
export const CONTENTS_METHOD = 'contents';

/** How skills are served, with all defaults applied. */
export interface SkillsSettings extends Required<Omit<SkillsOptions, 'directory'>> {
  readonly directories: readonly SkillDirectory[];
}

/** Applies all defaults. */
export function buildSkillsSettings(options: SkillsOptions = {}): SkillsSettings {
  const { directory = [], ...settings } = SKILLS.build(options);
  const given = Array.isArray(directory) ? (directory as readonly (string | SkillDirectory)[]) : [directory];
  return {
    directories: given.map((one) => (typeof one === 'string' ? { path: one } : (one as SkillDirectory))),
    ...settings,
  };
}

const SKILL: Readonly<Record<keyof SkillOptions, Check>> = {
  name: check.nonEmptyString,
  description: check.nonEmptyString,
  frontmatter: (option, value) => {
    check.object(option, value);
    for (const name of ['name', 'description']) {
      if (Object.hasOwn(value as object, name))
        check.fail(`${option}.${name}`, `must be set with the option "${name}"`);
    }
  },
  prefix,
  directory: check.nonEmptyString,
  tags: check.list(check.nonEmptyString),
  dynamic: check.flag,
  visible: check.callable,
};

const ALIASES = new Map([
  ['path', 'directory'],
  ['folder', 'directory'],
  ['metadata', 'frontmatter'],
  ['license', 'frontmatter'],
]);

/**
 * Checks the options of `@Skill()`.
 *
 * @throws {OptionError} that names the first invalid option
 */
export function assertSkillOptions(options: unknown): void {
  const { requiredScopes, isPublic } = isObject(options) ? options : ({} as Checks);
  if (requiredScopes !== undefined)
    check.fail('requiredScopes', 'is not an option of @Skill(): add @RequireScope()');
  if (isPublic !== undefined) check.fail('isPublic', 'is not an option of @Skill(): add @Public()');
  check.assertProperties('', options, SKILL, ALIASES);
}
