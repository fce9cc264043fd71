import type { DpopMode } from './desk.module.js';
import { COMPLAINTS, start } from './start.js';
import { welcome } from './welcome.js';

const { PORT = '3000', AUTHORIZATION_PORT = PORT === '0' ? '0' : '3001', DPOP } = process.env;

try {
  const { url, issuer } = await start(
    { desk: Number(PORT), authorizationServer: Number(AUTHORIZATION_PORT), dpop: readMode(DPOP) },
    ['debug', ...COMPLAINTS],
  );
  process.stdout.write(welcome(url.href, issuer));
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    `The desk cannot start on the ports "${PORT}" and "${AUTHORIZATION_PORT}": ${reason}; choose others by PORT and AUTHORIZATION_PORT\n`,
  );
  process.exit(1);
}

function readMode(mode: string | undefined): DpopMode | undefined {
  if (mode === undefined || mode === 'allowed' || mode === 'required') return mode;
  throw new Error('DPOP is "allowed" or "required"');
}
