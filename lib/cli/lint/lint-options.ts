import { assertRule, SEVERITIES, USUAL_TOKENS, type LintSettings } from '../../core/lint/lint-catalogue.js';
import type { LintSeverity } from '../../core/lint/lint-rule.interface.js';
import type { ModuleTarget } from '../module/module-catalogue.js';
import { parseScope } from '../../core/oauth/scope.js';
import { parseArguments } from '../parse-arguments.js';
import { parseEndpoint } from '../server/parse-endpoint.js';
import { parseServerOptions, SERVER_OPTIONS, type ServerOptions } from '../server/server-options.js';
import { UsageError } from '../usage.error.js';
import { quoteVisible } from '../visible-text.js';

/** What the command is asked to judge. */
export type LintTarget = { readonly running: ServerOptions } | ModuleTarget;

/** What the command is asked to do. */
export interface LintOptions {
  readonly target: LintTarget;
  readonly settings: LintSettings;
  readonly json: boolean;
}

const OWN_OPTIONS = {
  rule: { type: 'string', multiple: true },
  'max-tokens': { type: 'string' },
  json: { type: 'boolean' },
  server: { type: 'string' },
} as const;

const OPTIONS = { ...SERVER_OPTIONS, ...OWN_OPTIONS } as const;

/** Options that mean something for an application that is not running. */
const OF_FILES: ReadonlySet<string> = new Set([...Object.keys(OWN_OPTIONS), 'scope']);

/**
 * Reads the arguments of the command.
 *
 * @throws {UsageError} if they ask for nothing that can be done
 */
export function parseLintOptions(args: readonly string[]): LintOptions {
  const { values, positionals } = parseArguments(args, OPTIONS);
  const [target, ...others] = positionals;
  if (target === undefined || others.length > 0) {
    throw new UsageError(
      'One URL or one file was expected: the URL of the endpoint, or the file of the application',
    );
  }
  const { rule = [], json = false } = values;
  const settings = {
    rules: Object.fromEntries(rule.map(parseRule)),
    maximumTokens: parseTokens(values['max-tokens']),
  };
  return { target: parseTarget(target, values), settings, json };
}

function parseTarget(
  target: string,
  values: ReturnType<typeof parseArguments<typeof OPTIONS>>['values'],
): LintTarget {
  if (/^[a-z]+:\/\//i.test(target)) {
    if (values.server !== undefined) throw new UsageError('"--server" is for the application of a file');
    return { running: parseServerOptions(parseEndpoint(target), values) };
  }
  const misplaced = Object.keys(values).find((name) => !OF_FILES.has(name));
  if (misplaced !== undefined) throw new UsageError(`"--${misplaced}" is for the URL of a running server`);
  const scopes = (values.scope ?? []).flatMap(parseScope);
  return { file: target, key: values.server, scopes };
}

function parseRule(text: string): [id: string, level: LintSeverity | 'off'] {
  const [id = '', level = ''] = text.split('=', 2);
  const levels = [...SEVERITIES, 'off'] as const;
  const known = levels.find((one) => one === level);
  if (known === undefined) {
    const listed = levels.map((one) => `"${one}"`).join(', ');
    throw new UsageError(
      `"--rule" must be the id of a rule, "=" and one of ${listed}, and is ${quoteVisible(text)}`,
    );
  }
  try {
    assertRule(id);
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
  return [id, known];
}

function parseTokens(text: string | undefined): number {
  if (text === undefined) return USUAL_TOKENS;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError('"--max-tokens" must be a whole number of tokens, from 1 on');
}
