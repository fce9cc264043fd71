import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PlaceholderServer } from '../../../../cli/dev/placeholder-server.js';
import { findFreePort } from '../../../conformance/find-free-port.js';
import { until } from '../../../support/until.js';

describe('PlaceholderServer', () => {
  const kept = new PlaceholderServer();
  let url: string;
  let place: { readonly host: string; readonly port: number };

  beforeEach(async () => {
    place = { host: '127.0.0.1', port: await findFreePort() };
    url = `http://127.0.0.1:${place.port}/mcp`;
  });

  afterEach(() => kept.close());

  const answers = () => fetch(url, { method: 'POST' }).catch(() => undefined);

  it('has clients wait on a stream until the application is back', async () => {
    kept.listen(place);
    await until(answers, 'the port');
    const stream = await fetch(url, { headers: { accept: 'text/event-stream' } });
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    await kept.release();
    const application = createServer((_, response) => void response.end('back')).listen(place);
    await once(application, 'listening');
    kept.endStreams();
    expect(await stream.text()).toBe('');
    expect(await (await fetch(url)).text()).toBe('back');
    application.close();
    application.closeAllConnections();
  });

  it('answers everything else with when to come back', async () => {
    kept.listen(place);
    const answer = await until(answers, 'the port');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  });

  it('leaves a port alone that somebody else has', async () => {
    const other = createServer((_, response) => void response.end('other')).listen(place);
    await once(other, 'listening');
    kept.listen(place);
    await until(() => !kept.isListening, 'the port to be left alone');
    expect(await (await fetch(url)).text()).toBe('other');
    other.close();
    other.closeAllConnections();
  });

  it('has nobody wait who asks by an old connection when the application is back', async () => {
    kept.listen(place);
    await until(answers, 'the port');
    const early = connect(place.port, place.host).setEncoding('utf8');
    let answer = '';
    early.on('data', (text: string) => (answer += text));
    await once(early, 'connect');
    await kept.release();
    kept.endStreams();
    early.write('GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n');
    await once(early, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
  });

  it('keeps no connection when it ends, though nothing came by it and the port was let go', async () => {
    kept.listen(place);
    await until(answers, 'the port');
    const silent = connect(place.port, place.host);
    await once(silent, 'connect');
    // What it connected to has it, too, when an answer came after it.
    await answers();
    await kept.release();
    const closed = once(silent, 'close');
    silent.resume();
    kept.close();
    await closed;
    expect(silent.destroyed).toBe(true);
  });
});
