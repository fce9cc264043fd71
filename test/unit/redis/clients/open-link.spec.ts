import { describe, expect, it } from '@jest/globals';
import { Cluster, Redis } from 'ioredis';
import { createClient, createCluster, type RedisClientOptions } from 'redis';
import { isEncrypted } from '../../../../lib/redis/clients/open-link.js';

const lazyConnect = true;
const startupNodes = [{ host: 'redis.example.com', port: 6379 }];
const sentinels = [{ host: 'sentinel.example.com', port: 26_379 }];

describe('isEncrypted()', () => {
  it.each([
    ['TLS by the URL', new Redis('rediss://redis.example.com', { lazyConnect }), true],
    ['TLS by an option', new Redis({ host: 'redis.example.com', tls: {}, lazyConnect }), true],
    ['no TLS', new Redis('redis://redis.example.com', { lazyConnect }), false],
    ['this machine', new Redis('redis://127.0.0.1', { lazyConnect }), true],
    ['a socket of the file system', new Redis('/run/redis.sock', { lazyConnect }), true],
    ['Sentinel', new Redis({ sentinels, name: 'shop', lazyConnect }), false],
    ['a cluster', new Cluster(startupNodes, { lazyConnect }), false],
    ['a cluster with TLS', new Cluster(startupNodes, { lazyConnect, redisOptions: { tls: {} } }), true],
  ])('tells how a client of ioredis speaks: %s (RELAY-10)', (_, client, expected) => {
    expect(isEncrypted(client)).toBe(expected);
    client.disconnect();
  });

  it.each([
    ['TLS by the URL', { url: 'rediss://redis.example.com' }, true],
    ['TLS by an option', { socket: { host: 'redis.example.com', tls: true as const } }, true],
    ['no TLS', { url: 'redis://redis.example.com' }, false],
    ['no TLS, by an option', { socket: { host: 'redis.example.com' } }, false],
    ['this machine', {}, true],
    ['a socket of the file system', { socket: { path: '/run/redis.sock' } }, true],
  ])('tells how a client of redis speaks: %s (RELAY-10)', (_, options, expected) => {
    expect(isEncrypted(createClient(options as RedisClientOptions))).toBe(expected);
  });

  it('does not know what a client does not show (RELAY-10)', () => {
    expect(
      isEncrypted(createCluster({ rootNodes: [{ url: 'rediss://redis.example.com' }] })),
    ).toBeUndefined();
  });
});
