import { omitEmpty } from '../../../core/oauth/omit-empty.js';
import { isStringArray } from '../../../core/protocol/is-string-array.js';
import type { JsonObject } from '../../../core/protocol/parse-json-object.js';
import { DiscoveryFailedError } from '../errors/errors.js';

/** What a member of a metadata document is. */
export type MemberKind = 'text' | 'texts' | 'flag';

const KINDS: { readonly [kind in MemberKind]: { matches: (value: unknown) => boolean; name: string } } = {
  text: { matches: (value) => typeof value === 'string', name: 'a string' },
  texts: { matches: isStringArray, name: 'an array of strings' },
  flag: { matches: (value) => typeof value === 'boolean', name: 'true or false' },
};

/**
 * Returns a document whose known members have the right types. Members that are `null` or an empty text are left out.
 *
 * @throws {DiscoveryFailedError} if one is something else
 */
export function parseMembers(
  url: string,
  document: JsonObject,
  kinds: { readonly [member: string]: MemberKind },
): JsonObject {
  const present = omitEmpty(document);
  for (const [member, value] of Object.entries(present)) {
    const kind = Object.hasOwn(kinds, member) ? kinds[member] : undefined;
    if (kind === undefined || KINDS[kind].matches(value)) continue;
    const fault = `has a "${member}" that is not ${KINDS[kind].name}`;
    throw new DiscoveryFailedError({ url, fault });
  }
  return present;
}
