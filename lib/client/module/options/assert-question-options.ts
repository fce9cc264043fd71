import { assertMembers, flag, text, type Checks } from '../../../core/checks/option-checks.js';
import { OptionError } from '../../../core/checks/option.error.js';
import { McpClientConfigurationError } from '../errors.js';
import type { ClientHandlerMetadata, QuestionKind } from '../handlers/client-handler-metadata.js';

const CHECKS: Readonly<Record<QuestionKind, Checks>> = {
  elicitation: { client: text, url: flag },
  sampling: { client: text },
  roots: { client: text },
};

const DECORATORS: Readonly<Record<QuestionKind, string>> = {
  elicitation: '@McpElicitation()',
  sampling: '@McpSampling()',
  roots: '@McpRoots()',
};

/**
 * Checks what a decorator of a method that answers questions was given.
 *
 * @param place the method, for error texts
 * @throws {McpClientConfigurationError} that names the method and the first option that is wrong
 */
export function assertQuestionOptions(place: string, { kind, options }: ClientHandlerMetadata): void {
  try {
    assertMembers('', options, CHECKS[kind]);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    throw new McpClientConfigurationError(place, `has ${DECORATORS[kind]}, of which ${error.message}`);
  }
}
