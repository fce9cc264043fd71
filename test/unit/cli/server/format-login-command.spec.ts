import { describe, expect, it } from '@jest/globals';
import { formatLoginCommand } from '../../../../cli/server/format-login-command.js';
import { listLoginOptions } from '../../../../cli/server/server-options.js';

const URL_OF_DESK = 'https://desk.example.com/mcp';

describe('formatLoginCommand', () => {
  it('quotes what a shell would obey (CLI-20)', () => {
    expect(
      formatLoginCommand({ serverUrl: URL_OF_DESK, scopes: ['desk:read', '$(reboot)', 'a|b'] }, 'linux'),
    ).toBe(`npx nestjs-mcp-cli login ${URL_OF_DESK} --scope=desk:read '--scope=$(reboot)' '--scope=a|b'`);
  });

  it.each(['$(calc)', '$env:TEMP', 'a`b', '%COMSPEC%', 'a^b', 'a!b!'])(
    'leaves a scope out that no quotes keep from the shells of Windows: %s (CLI-20)',
    (scope) => {
      expect(
        formatLoginCommand({ serverUrl: URL_OF_DESK, scopes: ['desk:read', scope, 'a|b&c'] }, 'win32'),
      ).toBe(`npx nestjs-mcp-cli login ${URL_OF_DESK} --scope=desk:read "--scope=a|b&c"`);
    },
  );

  it('repeats what a login was given before (CLI-20)', () => {
    const given = {
      'client-id': 'desk app',
      'header-env': ['X-Api-Key: DESK_KEY'],
      'insecure-host': ['keycloak'],
      dpop: true,
      'ignore-issuer-slash': false,
      header: ['X-Secret: abc'],
      token: 'abc',
    };
    const options = listLoginOptions(given);
    expect(formatLoginCommand({ serverUrl: URL_OF_DESK, options }, 'linux')).toBe(
      `npx nestjs-mcp-cli login ${URL_OF_DESK} '--client-id=desk app' '--header-env=X-Api-Key: DESK_KEY' --insecure-host=keycloak --dpop`,
    );
  });
});
