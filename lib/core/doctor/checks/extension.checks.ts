import { isObject } from '../../protocol/json-rpc.js';
import type { Check } from '../check.interface.js';
import { failure, ok, warning, type Outcome } from '../finding.js';
import type { Target } from '../target.js';
import { selectRequester } from '../probe/select-asking.js';
import { list, quote } from '../quote.js';

/** Whether clients can read which extensions the server has (SEP-2133). */
export const EXTENSION_CHECKS: readonly Check[] = [{ id: 'extensions', run: checkDeclarations }];

/** A prefix in reverse-DNS form, and a name. */
const ID = /^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z](?:[a-z0-9-]*[a-z0-9])?)*\/[a-z0-9](?:[\w.-]*[a-z0-9])?$/i;

/** Extensions of the protocol, whose specifications define the settings. */
const PUBLISHED = /^io\.modelcontextprotocol\//i;

/** An envelope around the settings, which clients of such an extension do not know. */
const ENVELOPE: ReadonlySet<string> = new Set(['id', 'config', 'specVersion', 'stability']);

async function checkDeclarations(target: Target): Promise<Outcome | undefined> {
  const asking = await selectRequester(target, ({ extensions }) => extensions !== undefined);
  if (asking === undefined) return undefined;
  const { extensions } = asking.capabilities;
  if (!isObject(extensions)) {
    return failure(
      '"extensions" is not an object',
      'Declare each extension under its id, with an object of settings',
    );
  }
  const unset = Object.keys(extensions).filter((id) => !isObject(extensions[id]));
  if (unset.length > 0) {
    return failure(
      `The settings of ${list(unset)} are not an object`,
      'Declare "{}" for an extension without settings',
    );
  }
  const wrapped = Object.entries(extensions).find(
    ([id, settings]) =>
      PUBLISHED.test(id) && Object.keys(settings as object).some((member) => ENVELOPE.has(member)),
  );
  if (wrapped !== undefined) {
    return failure(
      `${quote(wrapped[0])} is declared with more than its settings`,
      'Put the settings that its specification defines directly under its id, and nothing else',
    );
  }
  const odd = Object.keys(extensions).filter((id) => !ID.test(id));
  if (odd.length > 0) {
    return warning(
      `${list(odd)} cannot be the id of an extension`,
      'Use an id such as "com.example/reports"',
    );
  }
  const ids = Object.keys(extensions);
  return ids.length === 0 ? undefined : ok(`Clients can read which extensions there are: ${list(ids)}`);
}
