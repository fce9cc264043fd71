import { afterEach, describe, expect, it } from '@jest/globals';
import type { DoctorOptions } from '../../../cli/doctor/doctor-options.js';
import { parseDoctorOptions } from '../../../cli/doctor/doctor-options.js';
import type { Finding } from '../../../lib/core/doctor/finding.js';
import { examineEndpoint, selectIds } from '../../support/examine-endpoint.js';
import { FixtureEndpoint } from '../../support/fixture-endpoint.js';

const PUBLIC_URL = 'https://shop.example.com/mcp';
const METADATA = 'https://shop.example.com/.well-known/oauth-protected-resource/mcp';

let endpoint: FixtureEndpoint;

afterEach(() => endpoint.stop());

/** Examines a process that says who it is for clients, at its own address. */
async function examineProcess(options: Partial<DoctorOptions>): Promise<readonly Finding[]> {
  endpoint = await FixtureEndpoint.start({
    token: 'opaque-token-of-the-fixture',
    challenge: () => `Bearer resource_metadata="${METADATA}"`,
    resource: () => ({ resource: PUBLIC_URL }),
  });
  return examineEndpoint(endpoint.url, options);
}

function listFaults(findings: readonly Finding[]): readonly string[] {
  return selectIds(findings, 'warning', 'error');
}

describe('The doctor, at one process behind a proxy', () => {
  it('finds nothing wrong with documents for the public URL that it is given (KIT-03)', async () => {
    const findings = await examineProcess({ publicUrl: new URL(PUBLIC_URL) });
    expect(listFaults(findings)).toEqual([]);
    expect(findings).toContainEqual(
      expect.objectContaining({ id: 'metadata-resource', found: '"resource" is the endpoint URL' }),
    );
  });

  it('compares documents with the public URL alone (KIT-03)', async () => {
    const publicUrl = new URL('https://other.example.com/mcp');
    expect(listFaults(await examineProcess({ publicUrl }))).toContain('challenge-metadata');
  });

  it('names the option if an address of this machine is asked without it (KIT-03)', async () => {
    const findings = await examineProcess({});
    const fault = findings.find(({ id }) => id === 'challenge-metadata');
    expect(fault?.status).toBe('error');
    expect(fault?.fix).toContain('"--public-url"');
  });

  it.each(['shop', 'ftp://shop.example.com/mcp'])('refuses "--public-url %s" (KIT-03)', async (text) => {
    await examineProcess({ publicUrl: new URL(PUBLIC_URL) });
    expect(() => parseDoctorOptions(['http://127.0.0.1:3000/mcp', '--public-url', text], {})).toThrow(
      '"--public-url" must be a URL such as "https://shop.example.com/mcp"',
    );
  });
});
