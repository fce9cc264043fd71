import { describe, expect, it } from '@jest/globals';
import { LinkWatch } from '../../../../../lib/client/module/connection/link-watch.js';

const URL_OF_SHOP = 'https://shop.example.com/mcp';

/** Has a stream opened by GET, and gives what ends it. */
async function openStream(watch: LinkWatch): Promise<() => Promise<void>> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const send = watch.watchAnswers(async () => new Response(readable));
  const { body } = await send(URL_OF_SHOP, { method: 'GET' });
  const ended = body?.pipeTo(new WritableStream());
  return async () => {
    await writable.close();
    await ended;
  };
}

/** Has a server answer that it is busy. */
async function answerBusy(watch: LinkWatch, headers: Record<string, string>): Promise<void> {
  watch.endConnecting();
  await watch.watchAnswers(async () => new Response('busy', { status: 503, headers }))(URL_OF_SHOP);
}

describe('LinkWatch', () => {
  it('knows of a standing stream beside one that goes on with an answer (CLI-18)', async () => {
    const watch = new LinkWatch('shop');
    const endStanding = await openStream(watch);
    const endOther = await openStream(watch);
    await endOther();
    expect(watch.hasStream).toBe(true);
    await endStanding();
    expect(watch.hasStream).toBe(false);
  });

  it('knows of none once the link is lost (CLI-18)', async () => {
    const watch = new LinkWatch('shop');
    const end = await openStream(watch);
    watch.lose(new Error('gone'));
    expect(watch.hasStream).toBe(false);
    await end();
  });

  it('keeps the longest rest that a server asked for (CLI-18)', async () => {
    const watch = new LinkWatch('shop');
    await answerBusy(watch, { 'retry-after': '60' });
    await answerBusy(watch, {});
    expect(watch.retryAfterMs).toBeGreaterThan(50_000);
  });
});
