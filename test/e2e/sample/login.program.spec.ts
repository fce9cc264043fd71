import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { createAuthorizedFetch, OAuthTokenSource } from 'nestjs-mcp/client';
import { FormBrowser } from '../../support/clients/form-browser.js';
import { NodeProgram } from '../../support/programs/node-program.js';

const MAIN = fileURLToPath(new URL('../../../.build/sample/10-login/main.js', import.meta.url));

describe('npm run start:login', () => {
  it('lets a person log in at the provider with any name, through the consent of the desk (AS-01)', async () => {
    const desk = new NodeProgram(MAIN, { PORT: '0' });
    await desk.prints('node cli/dist/main.js login');
    const [, url = ''] = /serves MCP at (http:\/\/127\.0\.0\.1:\d+\/mcp)/.exec(desk.stdout) ?? [];
    const browser = new FormBrowser({ decision: 'allow', name: 'Ada' });
    const tokenSource = new OAuthTokenSource({
      serverUrl: url,
      openBrowser: async (address) => void (await browser.visit(address)),
      present: () => undefined,
    });
    const send = createAuthorizedFetch({ serverUrl: url, tokenSource });
    const response = await send(url, { headers: { accept: 'text/event-stream' } });
    expect(response.status).not.toBe(401);
    expect(browser.pages[0]).toContain('wants to use');
    expect(browser.pages[0]).toContain('Next, you log in with the company login');
    expect(browser.pages).toHaveLength(2);
    expect(await desk.stop()).toBe(0);
  });

  it('names the ports that cannot be used', async () => {
    const wrong = new NodeProgram(MAIN, { PORT: '70000' });
    expect(await wrong.exitCode()).toBe(1);
    expect(wrong.stderr).toContain('choose other ports with PORT and LOGIN_PORT');
  });
});
