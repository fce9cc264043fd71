import { TestIssuer } from '../support/authorization/issuer.js';

const AUDIENCE = 'https://soak.example.com/mcp';
const SUBJECTS = 40;
const LIFETIME_SECONDS = 86_400;
/** One of so many visitors brings a token that nobody has seen, rather than one of those that go round. */
const FRESH = 5;

/** Tokens of an issuer on loopback. */
export class Tokens {
  #turn = 0;

  private constructor(
    private readonly issuer: TestIssuer,
    private readonly known: readonly string[],
  ) {}

  static async start(): Promise<Tokens> {
    const issuer = await TestIssuer.start({ audience: AUDIENCE });
    const known = await Promise.all(Array.from({ length: SUBJECTS }, (_, index) => sign(issuer, index)));
    return new Tokens(issuer, known);
  }

  get issuerUrl(): string {
    return this.issuer.url;
  }

  get audience(): string {
    return AUDIENCE;
  }

  async next(): Promise<string> {
    this.#turn += 1;
    const index = this.#turn % SUBJECTS;
    return (this.#turn % FRESH > 0 && this.known[index]) || sign(this.issuer, index);
  }

  /** A token that is over. */
  expired(): Promise<string> {
    return this.issuer.token({ exp: Math.floor(Date.now() / 1000) - 3600 });
  }

  stop(): Promise<void> {
    return this.issuer.stop();
  }
}

function sign(issuer: TestIssuer, index: number): Promise<string> {
  const exp = Math.floor(Date.now() / 1000) + LIFETIME_SECONDS;
  return issuer.token({ sub: `visitor-${index}`, scope: 'soak:use', exp, jti: crypto.randomUUID() });
}
