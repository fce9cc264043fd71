/** No `server.json` can be made: says what is missing and where to write it. */
export class ServerJsonError extends Error {
  override readonly name = 'ServerJsonError';

  constructor(readonly complaints: readonly string[]) {
    super(complaints.join('\n'));
  }
}
