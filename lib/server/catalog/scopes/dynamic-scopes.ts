import { Logger } from '../../../core/logger/logger.js';
import { isScope, mergeScopes, type ScopeTemplate, ScopeValueError } from '../../../core/oauth/scope.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import { limitDecision, withDecisionTimeout } from '../../../core/async/timeouts.js';
import { formatLine } from '../../log/format-line.js';
import { describeValue } from '../../schema/validation-issues.js';
import { findByPath } from '../../schema/json.js';
import type { ScopeFunction, ScopedCall, ScopedKind } from '../../settings/scoped-call.interface.js';

/** The pause between two log lines about the same function, because any caller can cause them. */
const PERIOD_MS = 60_000;

const logger = new Logger('Mcp');
const loggedAt = new WeakMap<ScopeFunction, number>();

/** Logs that a function returned a string that is not a scope, because of a bug or its arguments. */
function logUnusableScope(ask: ScopeFunction, call: ScopedCall): void {
  const now = performance.now();
  if (now - (loggedAt.get(ask) ?? -Infinity) < PERIOD_MS) return;
  loggedAt.set(ask, now);
  const line = `A call was refused: the "RequireScope" function of the ${formatScoped(call)} returned a string that is not a scope`;
  logger.warn(formatLine(line, call.context));
}

/** A handler's scopes that depend on its arguments. */
export class DynamicScopes {
  /** Its templates, as written. */
  readonly texts: readonly string[];
  /** The variables of its templates: names of arguments, or paths to their properties. */
  readonly variables: readonly string[];

  constructor(
    private readonly templates: readonly ScopeTemplate[],
    private readonly functions: readonly ScopeFunction[],
  ) {
    this.texts = templates.map(({ text }) => text);
    this.variables = [...new Set(templates.flatMap(({ variables }) => variables))];
  }

  /** Whether an application function computes some of them. */
  get hasFunctions(): boolean {
    return this.functions.length > 0;
  }

  /**
   * Resolves the scopes that a call requires, without duplicates.
   *
   * @throws {McpError} -32602 if a call value is not allowed in a scope
   * @throws {ScopeFunctionError} if a function returns anything other than scopes; errors that it throws are rethrown
   */
  resolve(call: ScopedCall): readonly string[] | Promise<readonly string[]> {
    const scopes = this.#expandAll(call);
    if (this.functions.length === 0) return mergeScopes(scopes);
    const resolved = this.functions.map(async (ask) => readScopes(await callInTime(ask, call), ask, call));
    return Promise.all(resolved).then((lists) => mergeScopes(scopes, ...lists));
  }

  #expandAll(call: ScopedCall): readonly string[] {
    const { completes } = call;
    // The argument to complete has no value yet, so it cannot be in a scope.
    const settled = this.templates.filter(
      ({ variables }) => completes === undefined || !variables.includes(completes),
    );
    return settled.map((template) => expand(template, call));
  }
}

function expand(template: ScopeTemplate, call: ScopedCall): string {
  try {
    return template.expand((variable) => findByPath(call.arguments, variable.split('.')));
  } catch (error) {
    throw error instanceof ScopeValueError ? McpError.invalidParams(error.message) : error;
  }
}

/** @throws {ScopeFunctionError} if the function exceeds its time limit */
function callInTime(ask: ScopeFunction, call: ScopedCall): unknown {
  const longestMs = limitDecision();
  return withDecisionTimeout<unknown>(
    ask(call),
    longestMs,
    () => new ScopeFunctionError(call, `nothing within ${longestMs} ms`),
  );
}

function readScopes(given: unknown, ask: ScopeFunction, call: ScopedCall): readonly string[] {
  const scopes: readonly unknown[] | undefined = typeof given === 'string' ? [given] : listMembers(given);
  if (scopes?.every((scope) => typeof scope === 'string') !== true) {
    throw new ScopeFunctionError(call, describeValue(given));
  }
  if (scopes.every(isScope)) return scopes;
  // It is most likely built from what the caller sent.
  logUnusableScope(ask, call);
  throw McpError.invalidParams(
    'the call requires a scope with invalid characters: remove spaces, quotes and non-ASCII characters from its arguments',
  );
}

function listMembers(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** An application function returned something other than scopes, so the call is refused. */
export class ScopeFunctionError extends Error {
  override readonly name = 'ScopeFunctionError';

  /** @param given a description of what it returned */
  constructor(call: ScopedCall, given: string) {
    super(
      `The scopes of the ${formatScoped(call)} cannot be determined: expected the "RequireScope" function to return a scope or an array of scopes ("[]" for none), got ${given}`,
    );
  }
}

const KINDS: Readonly<Record<ScopedKind, string>> = {
  tool: 'tool',
  resource: 'resource',
  resourceTemplate: 'resource template',
  prompt: 'prompt',
  completion: 'completion of',
  eventSource: 'event source',
  route: 'route',
};

/** Names a call's target in error messages and the log. */
function formatScoped({ kind, name }: Pick<ScopedCall, 'kind' | 'name'>): string {
  return `${KINDS[kind]} ${JSON.stringify(name)}`;
}
