import type { SessionOptions } from '../settings/mcp-options.interface.js';

type Bounds = Pick<Required<SessionOptions>, 'maximumSubscriptions' | 'maximumSubscriptionCharacters'>;

/** Finds what a client has too many of that subscribes to resources; nothing where it has not. */
export function findExcess(
  uris: readonly unknown[],
  { maximumSubscriptions, maximumSubscriptionCharacters }: Bounds,
): 'members' | 'characters' | undefined {
  if (uris.length > maximumSubscriptions) return 'members';
  let characters = 0;
  for (const uri of uris) characters += typeof uri === 'string' ? uri.length : 0;
  return characters > maximumSubscriptionCharacters ? 'characters' : undefined;
}
