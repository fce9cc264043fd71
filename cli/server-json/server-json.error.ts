/** Thrown if no `server.json` can be created. Lists what is missing and where to add it. */
export class ServerJsonError extends Error {
  override readonly name = 'ServerJsonError';

  constructor(readonly complaints: readonly string[]) {
    super(complaints.join('\n'));
  }
}
