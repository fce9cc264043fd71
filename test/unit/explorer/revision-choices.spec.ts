import { describe, expect, it } from '@jest/globals';
import { REVISIONS } from '../../../lib/core/protocol/revisions.js';
import { REVISION_CHOICES, selectVersions } from '../../../explorer/connection/revision-choices.js';

describe('The choice of a revision', () => {
  it('has all that are served, the newest first (WAY-02)', () => {
    const served = REVISIONS.map(({ version }) => version);
    expect(REVISION_CHOICES).toEqual(['auto', ...served.toReversed()]);
  });

  it.each([
    ['auto', { versionNegotiation: { mode: 'auto' } }],
    ['2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
    ['2025-06-18', { versionNegotiation: { mode: 'legacy' }, supportedProtocolVersions: ['2025-06-18'] }],
  ])('has the client speak %s and nothing else (WAY-02)', (choice, options) => {
    expect(selectVersions(choice)).toEqual(options);
  });
});
