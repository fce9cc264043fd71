/** Parses `PORT`; 0 lets the system choose a free one. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (text.trim() !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`"PORT" must be a number from 0 to 65535, not "${text}"`);
}

/** Says in one sentence what stopped the start and what to do. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port, message } = error as NodeJS.ErrnoException & { port?: number };
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is taken: stop the program that uses it, or choose another one, for example PORT=3001 npm start`;
    case 'EACCES':
      return `Port ${port} needs more rights: choose one above 1023, for example PORT=3001 npm start`;
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
      return 'No database answers at "DATABASE_URL": start it, or unset the variable to use the embedded one';
    default:
      return `The desk cannot start: ${message}`;
  }
}
