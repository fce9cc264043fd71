import { afterEach, describe, expect, it } from '@jest/globals';
import { sendProbe } from '../../../../cli/doctor/probe/http-probe.js';
import { explainFailure } from '../../../../cli/server/explain-failure.js';
import { WebhookReceiver } from '../../../support/webhook-receiver.js';

describe('explainFailure, where TLS does not come to pass', () => {
  let server: WebhookReceiver;

  afterEach(() => server.stop());

  async function explain(scheme: string): Promise<string | undefined> {
    const url = new URL('/mcp', server.url);
    const error = await fetch(`${scheme}://localhost:${url.port}/mcp`).catch((thrown: unknown) => thrown);
    const failure = explainFailure(error);
    expect(failure?.exitCode).toBe(4);
    return failure?.message;
  }

  it('asks after the scheme where a port speaks none (CLI-20)', async () => {
    server = await WebhookReceiver.start({ host: 'localhost' });
    expect(await explain('https')).toBe('The server does not support TLS: try the URL with "http:"');
  });

  it('says how an authority of the own house is trusted (CLI-20)', async () => {
    server = await WebhookReceiver.start({ isSecure: true, host: 'localhost' });
    expect(await explain('https')).toBe(
      'The server has a certificate that is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT): if a private CA issued it, set NODE_EXTRA_CA_CERTS',
    );
  });

  it('tells of a port that wants TLS (CLI-20)', async () => {
    server = await WebhookReceiver.start({ isSecure: true, host: 'localhost' });
    expect(await explain('http')).toMatch(/^The server (?:closed the connection before|does not speak HTTP)/);
  });
});

describe('sendProbe, where TLS does not come to pass', () => {
  it('says so in the same words (KIT-03)', async () => {
    const server = await WebhookReceiver.start({ host: 'localhost' });
    const probe = sendProbe(new URL(server.url.replace('http:', 'https:')), { method: 'GET' }, 5_000);
    await expect(probe).rejects.toThrow('The server does not support TLS: try the URL with "http:"');
    await server.stop();
  });
});
