import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { startCompanyLogin } from './company-login.js';

const { PORT = '3000', LOGIN_PORT = PORT === '0' ? '0' : '3001' } = process.env;

try {
  const port = await findPort(Number(PORT));
  const origin = `http://127.0.0.1:${port}`;
  const login = await startCompanyLogin(Number(LOGIN_PORT), `${origin}/oauth/callback`);
  // A secret that is kept lets tokens survive a restart
  const secret = process.env['MCP_SECRET'] ?? randomBytes(32).toString('hex');
  const application = await NestFactory.create(AppModule.at({ origin, upstream: login.upstream, secret }), {
    logger: ['log', 'warn', 'error', 'fatal'],
    abortOnError: false,
  });
  await application.listen(port, '127.0.0.1');
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void Promise.all([application.close(), login.stop()]));
  process.stdout.write(`
The desk serves MCP at ${origin}/mcp, and people log in with any name (Ctrl+C ends it)

  node cli/dist/main.js login ${origin}/mcp
  node cli/dist/main.js call ${origin}/mcp list
  node cli/dist/main.js call ${origin}/mcp close   # prints the login for one more scope
`);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The desk cannot start: ${reason}; choose other ports with PORT and LOGIN_PORT\n`);
  process.exit(1);
}

/** The provider must know the address of the desk before the desk exists. 0 lets the system choose a free port. */
async function findPort(port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: found } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return found;
}
