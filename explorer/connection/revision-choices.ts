import type { ClientOptions } from '@modelcontextprotocol/client';
import { findRevision, REVISIONS } from '../../lib/core/protocol/revisions.js';

/** The choice of automatic negotiation. */
export const LATEST_OF_BOTH = 'auto';

/** The choices: automatic negotiation, or one revision, newest first. */
export const REVISION_CHOICES: readonly string[] = [
  LATEST_OF_BOTH,
  ...REVISIONS.map(({ version }) => version).toReversed(),
];

/** Builds the client options that allow only the chosen revisions. */
export function selectVersions(
  choice: string,
): Pick<ClientOptions, 'versionNegotiation' | 'supportedProtocolVersions'> {
  const revision = findRevision(choice);
  if (revision === undefined) return { versionNegotiation: { mode: 'auto' } };
  const { version, kind } = revision;
  if (kind === 'perRequest') return { versionNegotiation: { mode: { pin: version } } };
  return { versionNegotiation: { mode: 'legacy' }, supportedProtocolVersions: [version] };
}
