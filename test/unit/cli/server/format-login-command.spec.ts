import { describe, expect, it } from '@jest/globals';
import { formatLoginCommand } from '../../../../lib/cli/server/format-login-command.js';

const URL_OF_DESK = 'https://desk.example.com/mcp';

describe('formatLoginCommand', () => {
  it('quotes what a shell would obey (CLI-20)', () => {
    expect(formatLoginCommand(URL_OF_DESK, ['desk:read', '$(reboot)', 'a|b'], 'linux')).toBe(
      `npx nestjs-mcp login ${URL_OF_DESK} --scope=desk:read '--scope=$(reboot)' '--scope=a|b'`,
    );
  });

  it.each(['$(calc)', '$env:TEMP', 'a`b', '%COMSPEC%', 'a^b', 'a!b!'])(
    'leaves a scope out that no quotes keep from the shells of Windows: %s (CLI-20)',
    (scope) => {
      expect(formatLoginCommand(URL_OF_DESK, ['desk:read', scope, 'a|b&c'], 'win32')).toBe(
        `npx nestjs-mcp login ${URL_OF_DESK} --scope=desk:read "--scope=a|b&c"`,
      );
    },
  );
});
