import { describe, expect, it } from '@jest/globals';
import { findAddressScope } from '../../../../lib/core/network/ssrf-guard.js';

describe('findReach (RFC 6890)', () => {
  it.each([
    '127.0.0.1',
    '127.8.9.10',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '::ffff:127.0.0.1',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[::7f00:1]',
    '[2002:7f00:1::1]',
    'localhost',
    'LOCALHOST.',
    'desk.localhost',
  ])('knows %s for this machine (CLI-10)', (host) => {
    expect(findAddressScope(host)).toBe('loopback');
  });

  it.each([
    '10.0.0.5',
    '100.64.1.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.0.192',
    '168.63.129.16',
    '203.0.113.7',
    '[2001:db8::1]',
    '[2002:a83f:8110::1]',
    '198.19.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[::ffff:a00:5]',
    '[64:ff9b::a9fe:a9fe]',
    '[::a00:5]',
    '[2002:a9fe:a9fe::]',
    '[2002:c0a8:101::1]',
    '[2001:0:a00:5::1]',
    '[ff02::1]',
    'printer.local',
    'metadata.google.internal',
    'nas.home.arpa.',
    'nas.lan',
    'desk.intranet',
    'desk.corp',
    'NAS.HOME.',
    'guest.localdomain',
  ])('knows %s for a private network (CLI-10)', (host) => {
    expect(findAddressScope(host)).toBe('private');
  });

  it.each([
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '198.20.0.1',
    '168.63.129.17',
    '[2606:4700::1111]',
    '[64:ff9b::808:808]',
    '[2002:808:808::1]',
  ])('knows %s for public (CLI-10)', (host) => {
    expect(findAddressScope(host)).toBe('public');
  });

  it.each([
    'desk.example.com',
    'localhost.example.com',
    'notlocalhost',
    'internal.example.com',
    'notlan',
    'home.example.com',
  ])('leaves %s to what it resolves to (CLI-10)', (host) => {
    expect(findAddressScope(host)).toBeUndefined();
  });
});
