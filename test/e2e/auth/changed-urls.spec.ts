import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NextFunction, Request, Response } from 'express';
import type { RunningApp } from '../../support/applications/boot.js';
import { buildInitialize, post } from '../../support/clients/json-rpc.js';
import { authorize, bootDesk, CALLERS } from '../../support/applications/protected-desk.js';

const INITIALIZE = buildInitialize();

/** Express alone routes by what a middleware made of the URL. */
describe('A protected server behind a middleware that changes URLs', () => {
  let desk: RunningApp;
  let alias: string;

  beforeAll(async () => {
    desk = await bootDesk('express', {
      configure: (app) => {
        app.use((request: Request, _response: Response, next: NextFunction) => {
          if (request.url === '/alias') request.url = '/mcp';
          next();
        });
      },
    });
    alias = `${desk.origin}/alias`;
  });

  afterAll(() => desk.close());

  it('refuses a request without a token (AUTH-01)', async () => {
    expect((await post(alias, INITIALIZE)).status).toBe(401);
  });

  it('knows whom a request with a token is from (AUTH-01)', async () => {
    const { json } = await post(alias, INITIALIZE, authorize(CALLERS.ada.token));
    expect(json).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  });
});
