import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { HEALTH_CHECKS } from '../../../cli/doctor/checks/health.checks.js';
import { judgeIdleStream, IDLE_STREAM_CHECKS } from '../../../cli/doctor/checks/idle-stream.checks.js';
import { createTarget } from '../../../cli/doctor/create-target.js';
import { createNodeWire } from '../../../cli/doctor/probe/node-wire.js';
import type { Check } from '../../../lib/core/doctor/finding.js';
import type { ProbeWire } from '../../../lib/core/doctor/probe/probe-wire.js';
import { buildDoctorOptions } from '../../support/examine-endpoint.js';
import { FixtureEndpoint, type Traits } from '../../support/fixture-endpoint.js';

let endpoint: FixtureEndpoint | undefined;

afterEach(async () => {
  await endpoint?.stop();
  endpoint = undefined;
});

/** Tells what is read. */
function watch(wire: ProbeWire, onRead: () => void): ProbeWire {
  const send: ProbeWire['send'] = (url, { isEnough, ...probe }) =>
    wire.send(url, {
      ...probe,
      ...(isEnough && {
        isEnough: (...read) => {
          const enough = isEnough(...read);
          onRead();
          return enough;
        },
      }),
    });
  return { ...wire, send };
}

async function ask(
  [check]: readonly (Check | undefined)[],
  traits: Traits,
  onRead = () => undefined as void,
) {
  endpoint = await FixtureEndpoint.start(traits);
  const options = buildDoctorOptions(endpoint.url);
  return check?.run(createTarget(options, watch(createNodeWire(options), onRead)));
}

/** Has a stream opened as a server does, and let go of once its opening was read, as a proxy does that waits for less. */
function askCut(traits: Traits = {}) {
  let stream: ServerResponse | undefined;
  const takeOver: Traits['takeOver'] = ({ method, rpc }, response) => {
    if (method !== 'GET' && rpc !== 'subscriptions/listen') return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
    stream = response;
    return true;
  };
  return ask(IDLE_STREAM_CHECKS, { ...traits, takeOver }, () => void stream?.destroy());
}

describe('The doctor, of a stream on which nothing happens', () => {
  it('is content if something comes now and then (KIT-03)', async () => {
    expect(await ask(IDLE_STREAM_CHECKS, {})).toMatchObject({ status: 'ok' });
  });

  it('finds a proxy that cuts it (KIT-03)', async () => {
    expect(await askCut()).toMatchObject({
      status: 'error',
      fix: expect.stringContaining('"streams.keepAliveMs"'),
    });
  });

  it('finds one that cuts it after the first comment, which may come soon (KIT-03)', () => {
    expect(judgeIdleStream({ chunks: 2, silentMs: 10_000, isCut: true })).toMatchObject({
      status: 'error',
      found: 'An idle stream is closed after 10.0 s',
    });
  });

  it('finds it where there are no sessions, too (KIT-03)', async () => {
    expect(await askCut({ sessionId: null })).toMatchObject({ status: 'error' });
  });

  it('says nothing if no stream opens (KIT-03)', async () => {
    const takeOver: Traits['takeOver'] = ({ method }, response) => {
      if (method !== 'GET') return false;
      response.writeHead(405).end();
      return true;
    };
    expect(await ask(IDLE_STREAM_CHECKS, { takeOver })).toBeUndefined();
  });

  it('warns if it stays open and nothing comes (KIT-03)', () => {
    expect(judgeIdleStream({ chunks: 1, silentMs: 40_000, isCut: false })).toMatchObject({
      status: 'warning',
    });
  });
});

describe('The doctor, of probes', () => {
  const answerProbes = (mcp: object, status = 200): Traits => ({
    takeOver: ({ path }, response) => {
      if (path !== '/live' && path !== '/ready') return false;
      response
        .writeHead(path === '/live' ? 200 : status)
        .end(JSON.stringify({ status: 'ok', details: { mcp } }));
      return true;
    },
  });

  it('is content if all is up (KIT-03)', async () => {
    const traits = answerProbes({ status: 'up', state: 'up', cluster: { state: 'up' } });
    expect(await ask(HEALTH_CHECKS, traits)).toMatchObject({ status: 'ok' });
  });

  it('names what fails though the process is up (KIT-03)', async () => {
    const traits = answerProbes({
      state: 'degraded',
      cluster: { state: 'failing' },
      tokens: { state: 'up' },
    });
    expect(await ask(HEALTH_CHECKS, traits)).toMatchObject({
      status: 'warning',
      found: 'Probes succeed, but report failures: "cluster"',
    });
  });

  it('names places and memory if nothing else fails (KIT-03)', async () => {
    const traits = answerProbes({ state: 'degraded', use: { sessions: 0.97 } });
    expect(await ask(HEALTH_CHECKS, traits)).toMatchObject({
      status: 'warning',
      found: expect.stringContaining('"use"'),
    });
  });

  it('says why the process is not ready (KIT-03)', async () => {
    const traits = answerProbes({ state: 'degraded', cluster: { state: 'failing' } }, 503);
    expect(await ask(HEALTH_CHECKS, traits)).toMatchObject({
      status: 'error',
      found: 'Probes do not return 200: "/ready (503)", failing: "cluster"',
    });
  });

  describe('of a cluster', () => {
    const askCluster = (cluster: object | undefined, status?: number) => {
      const state = cluster === undefined ? 'up' : 'degraded';
      return ask(
        HEALTH_CHECKS.filter(({ id }) => id === 'cluster'),
        answerProbes({ state, ...(cluster && { cluster }) }, status),
      );
    };

    it('is content if it is reached (KIT-03)', async () => {
      expect(await askCluster({ state: 'up', waiting: 0, lagMs: 1 })).toMatchObject({ status: 'ok' });
    });

    it.each([200, 503])(
      'finds that it is not, whether that makes the process unready or not: %i (KIT-03)',
      async (status) => {
        expect(await askCluster({ state: 'failing', reason: 'WRONGPASS', waiting: 0 }, status)).toMatchObject(
          {
            status: 'error',
            found: 'This process is not connected to its cluster: "WRONGPASS"',
            fix: expect.stringContaining('"cluster"'),
          },
        );
      },
    );

    it('warns of messages that are late (KIT-03)', async () => {
      expect(await askCluster({ state: 'failing', lagMs: 6000.4, waiting: 9 })).toMatchObject({
        status: 'warning',
        found: 'Messages from other processes arrive 6000 ms late',
      });
    });

    it('says nothing of a server that has none, or does not say (KIT-03)', async () => {
      expect(await askCluster(undefined)).toBeUndefined();
    });
  });
});
