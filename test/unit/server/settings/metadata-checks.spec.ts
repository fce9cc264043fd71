import { describe, expect, it } from '@jest/globals';
import { catchFault } from '../../support/configuration-fault.js';
import { assertOptions } from '../../../../lib/server/settings/mcp-options.js';
import { SERVER_INFO } from '../../support/settings.js';

const published = (resourceMetadata: object, authorizationServerMetadata?: unknown) => ({
  auth: {
    resourceUri: 'https://desk.example.com/mcp',
    authorizationServers: ['https://login.example.com'],
    jwt: {},
    resourceMetadata,
    ...(authorizationServerMetadata !== undefined && { authorizationServerMetadata }),
  },
});

const circular: Record<string, unknown> = {};
circular['self'] = circular;

describe('The members of the metadata that a server is given (RFC 9728 §2)', () => {
  it.each([
    ['resource', 'https://evil.example/mcp', '"auth.resourceUri"'],
    ['authorization_servers', ['https://evil.example'], '"auth.authorizationServers"'],
    ['scopes_supported', ['desk:all'], '"auth.scopesSupported"'],
    ['bearer_methods_supported', ['query'], 'accepted only in the header'],
  ])('cannot say another %s than the options (PRM-02) (MOD-11)', (member, value, fix) => {
    const { option, message } = catchFault(published({ [member]: value }));
    expect(option).toBe(`auth.resourceMetadata.${member}`);
    expect(message).toContain(fix);
  });

  it('may be any other, and not set (PRM-02)', () => {
    const members = { resource_name: 'Desk', 'x-desk': { floor: 2 }, resource: undefined };
    expect(() => assertOptions({ serverInfo: SERVER_INFO, ...published(members) })).not.toThrow();
  });

  it.each([
    ['a circle', circular],
    ['a number without an end', { floor: 10n }],
  ])('cannot be what is no JSON: %s (PRM-02) (PRM-03) (MOD-11)', (_, document) => {
    expect(catchFault(published(document)).option).toBe('auth.resourceMetadata');
    expect(catchFault(published({}, document)).option).toBe('auth.authorizationServerMetadata');
  });
});
