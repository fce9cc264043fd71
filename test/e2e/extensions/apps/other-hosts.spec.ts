import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { App, Resource, Tool } from 'nestjs-mcp';
import type { RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { perRequest } from '../../../support/clients/json-rpc.js';

const CSP = { connect_domains: ['https://example.com'] };
const SHOWS_APPS = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};

@Injectable()
class BoardApps {
  @App({ description: 'The board', prefersBorder: true, _meta: { 'openai/widgetCSP': CSP } })
  board(): string {
    return '<!doctype html><p>board</p>';
  }

  @Resource({ uri: 'ui://desk/skybridge', description: 'The board', mimeType: 'text/html+skybridge' })
  skybridge(): string {
    return '<!doctype html><p>skybridge</p>';
  }

  @Tool({
    description: 'For the page',
    _meta: { ui: { resourceUri: 'ui://desk/board', visibility: ['app'] } },
  })
  refresh(): string {
    return 'fresh';
  }
}

describe('Apps for hosts of other kinds', () => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ providers: [BoardApps] });
  });

  afterAll(() => desk.close());

  const ask = async (method: string, params: object = {}) => {
    const { result } = await perRequest(desk.url, { capabilities: SHOWS_APPS }).request(method, {
      ...params,
    });
    return result ?? {};
  };

  it('read with the metadata with which they are listed (XTN-02) (HOST-04)', async () => {
    const { contents } = await ask('resources/read', { uri: 'ui://desk/board' });
    expect(contents).toMatchObject([{ _meta: { 'openai/widgetCSP': CSP, ui: { prefersBorder: true } } }]);
  });

  it('may be pages of a media type of their own (XTN-02)', async () => {
    const { contents } = await ask('resources/read', { uri: 'ui://desk/skybridge' });
    const text = '<!doctype html><p>skybridge</p>';
    expect(contents).toEqual([{ uri: 'ui://desk/skybridge', mimeType: 'text/html+skybridge', text }]);
  });

  it('keep tools for themselves that say so in the metadata of the wire (XTN-02)', async () => {
    const { result } = await perRequest(desk.url).request('tools/list', {});
    expect(result?.['tools']).toEqual([]);
    expect(await ask('tools/list')).toMatchObject({ tools: [{ name: 'refresh' }] });
  });
});
