import {
  findParameterFault,
  type AuthorizationParameters,
} from '../../lib/client/authorization/login/authorization-parameters.js';
import { UsageError } from '../usage.error.js';
import { quoteVisible } from '../visible-text.js';

/**
 * Reads the option `--param`, each of the form `name=value`.
 *
 * @throws {UsageError} if one of them is not valid, comes twice, or is set by the login itself
 */
export function parseParameters(texts: readonly string[] = []): AuthorizationParameters {
  const pairs = texts.map(parsePair);
  const parameters = Object.fromEntries(pairs);
  if (Object.keys(parameters).length < pairs.length)
    throw new UsageError('"--param" must name no parameter twice');
  const found = findParameterFault(parameters);
  if (found === undefined) return parameters;
  throw new UsageError(`"--param" must not have ${quoteVisible(found.name)}: it ${found.fault}`);
}

function parsePair(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1)
    throw new UsageError(
      '"--param" must be of the form "name=value", such as "audience=https://api.example.com"',
    );
  return [text.slice(0, at), text.slice(at + 1)];
}
