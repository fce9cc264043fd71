import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addStoredToken } from '../../../cli/doctor/add-stored-token.js';
import { parseDoctorOptions, type DoctorOptions } from '../../../cli/doctor/doctor-options.js';
import { FileCredentialStore } from '../../../lib/client/authorization/index.js';

const SERVER = 'http://desk:3000/mcp';

describe('The doctor at a server that is reached by plain http', () => {
  const { XDG_CONFIG_HOME: configured } = process.env;
  let home: string;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'doctor-'));
    process.env['XDG_CONFIG_HOME'] = home;
    const tokens = {
      accessToken: 'kept',
      tokenType: 'bearer',
      grantedScopes: [],
      requestedScopes: [],
      expiresAtMs: Date.now() + 3_600_000,
    };
    const registration = { clientId: 'doctor', origin: 'dynamic' } as const;
    const key = { serverUrl: SERVER, issuer: 'http://keycloak/desk' };
    await new FileCredentialStore().set(key, { registration, tokens });
  });

  afterEach(async () => {
    if (configured === undefined) delete process.env['XDG_CONFIG_HOME'];
    else process.env['XDG_CONFIG_HOME'] = configured;
    await rm(home, { recursive: true });
  });

  const examine = (args: readonly string[]) => {
    const terminal = { environment: {}, print: () => undefined, complain: () => undefined };
    return addStoredToken(parseDoctorOptions([SERVER, ...args], {}) as DoctorOptions, terminal);
  };

  it('uses the stored login if its host is named (CLI-20)', async () => {
    const hosts = ['--insecure-host', 'desk', '--insecure-host', 'keycloak'];
    expect(await examine(hosts)).toMatchObject({ token: 'kept', isTokenStored: true });
  });

  it('does not use it otherwise (CLI-20)', async () => {
    expect((await examine(['--insecure-host', 'keycloak'])).token).toBeUndefined();
  });

  it('refuses what is no host (CLI-20)', () => {
    const args = [SERVER, '--insecure-host', 'http://desk'];
    expect(() => parseDoctorOptions(args, {})).toThrow('"--insecure-host" must be a host');
  });
});
