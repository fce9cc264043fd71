import type { ClientOptions } from '@modelcontextprotocol/client';
import { findRevision, REVISIONS } from '../../lib/core/protocol/revisions.js';

/** The choice of whoever does not mind which. */
export const LATEST_OF_BOTH = 'auto';

/** Which revision to speak: the latest that both know, or one by its version, the newest first. */
export const REVISION_CHOICES: readonly string[] = [
  LATEST_OF_BOTH,
  ...REVISIONS.map(({ version }) => version).toReversed(),
];

/** Has the client speak what was chosen, and nothing else. */
export function selectVersions(
  choice: string,
): Pick<ClientOptions, 'versionNegotiation' | 'supportedProtocolVersions'> {
  const revision = findRevision(choice);
  if (revision === undefined) return { versionNegotiation: { mode: 'auto' } };
  const { version, kind } = revision;
  if (kind === 'perRequest') return { versionNegotiation: { mode: { pin: version } } };
  return { versionNegotiation: { mode: 'legacy' }, supportedProtocolVersions: [version] };
}
