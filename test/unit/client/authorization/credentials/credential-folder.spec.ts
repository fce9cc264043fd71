import { describe, expect, it } from '@jest/globals';
import { findCredentialFolder } from '../../../../../lib/client/authorization/credentials/file-credential-store.js';

describe('findCredentialFolder', () => {
  it.each([
    ['linux', {}, '/home/ada', '/home/ada/.config/nestjs-mcp'],
    ['linux', { XDG_CONFIG_HOME: '/etc/ada' }, '/home/ada', '/etc/ada/nestjs-mcp'],
    ['linux', { XDG_CONFIG_HOME: 'relative' }, '/home/ada', '/home/ada/.config/nestjs-mcp'],
    ['darwin', {}, '/Users/ada', '/Users/ada/Library/Application Support/nestjs-mcp'],
    ['darwin', { XDG_CONFIG_HOME: '/Users/ada/etc' }, '/Users/ada', '/Users/ada/etc/nestjs-mcp'],
    [
      'win32',
      { APPDATA: String.raw`C:\Users\ada\AppData\Roaming` },
      '',
      String.raw`C:\Users\ada\AppData\Roaming\nestjs-mcp`,
    ],
    ['win32', {}, String.raw`C:\Users\ada`, String.raw`C:\Users\ada\AppData\Roaming\nestjs-mcp`],
  ] as const)('finds it on %s with %j in %s (CLI-14)', (platform, environment, home, expected) => {
    expect(findCredentialFolder({ platform, environment, home })).toBe(expected);
  });
});
