import { afterEach, describe, expect, it } from '@jest/globals';
import { RedisServer } from '../../support/redis/redis-server.js';
import { until } from '../../support/until.js';

const servers: RedisServer[] = [];

async function start(...options: Parameters<typeof RedisServer.start>): Promise<RedisServer> {
  const server = await RedisServer.start(...options);
  servers.push(server);
  return server;
}

describe('a Redis for tests', () => {
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

  it('keeps its data over its death if it is told to', async () => {
    const server = await start({ keepsData: true });
    await server.send('SET', 'key', 'value');
    await server.restart();
    expect(await server.send('GET', 'key')).toBe('value');
  });

  it('comes back empty otherwise', async () => {
    const server = await start();
    await server.send('SET', 'key', 'value');
    await server.restart();
    expect(await server.send('GET', 'key')).toBeNull();
  });

  it('says why it does not start', async () => {
    await expect(start({ settings: ['--maxmemory', 'much'] })).rejects.toThrow('maxmemory');
  });

  it('answers nothing while it is stopped, and all of it afterwards', async () => {
    const server = await start();
    const other = await start();
    server.pause();
    let answer: unknown;
    const asked = server.send('PING').then((text) => (answer = text));
    expect(await other.send('PING')).toBe('PONG');
    expect(answer).toBeUndefined();
    server.resume();
    await until(() => answer === 'PONG', 'the answer');
    await asked;
  });
});
