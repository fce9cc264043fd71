import { describe, expect, it } from '@jest/globals';
import { isLoopbackName, isPrivateName } from '../../../../lib/core/network/host-names.js';

describe('The names of networks (RFC 6761, RFC 6762, RFC 8375)', () => {
  it.each(['localhost', 'LOCALHOST', 'localhost.', 'localhost..', 'desk.localhost'])(
    'have %s for this machine (CLI-10, EVT-01)',
    (name) => {
      expect(isLoopbackName(name)).toBe(true);
    },
  );

  it.each(['notlocalhost', 'localhost.example.com', 'localhost.localdomain', 'desk.local', ''])(
    'do not have %j for this machine (CLI-10, EVT-01)',
    (name) => {
      expect(isLoopbackName(name)).toBe(false);
    },
  );

  it.each([
    'printer.local',
    'PRINTER.LOCAL.',
    'metadata.google.internal',
    'router.home.arpa..',
    'nas.lan',
    'desk.intranet',
    'desk.corp',
    'nas.home',
    'localhost.localdomain',
    'intranet',
  ])('have %s for a private network (CLI-10, EVT-01)', (name) => {
    expect(isPrivateName(name)).toBe(true);
  });

  it.each([
    'desk.example.com',
    'internal.example.com',
    'notlocal',
    'desk.notcorp',
    'home.arpa.example.com',
    'arpa',
    '',
  ])('leave %j to what it is resolved to (CLI-10, EVT-01)', (name) => {
    expect(isPrivateName(name)).toBe(false);
  });
});
