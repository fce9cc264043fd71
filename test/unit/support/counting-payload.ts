/** A payload that counts how often it is serialized. */
export class CountingPayload {
  serialisations = 0;

  constructor(private readonly json: unknown) {}

  toJSON(): unknown {
    this.serialisations += 1;
    return this.json;
  }
}
