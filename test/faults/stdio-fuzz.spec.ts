import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { StdioProgram } from '../support/programs/stdio-program.js';
import { until } from '../support/until.js';
import { Dice, SEED } from '../support/dice.js';
import { makeBody } from './malformed-bodies.js';

const PROGRAM = fileURLToPath(new URL('../../.build/test/programs/stdio-server.js', import.meta.url));
const MEGABYTE = 1_048_576;
const FED = 40 * MEGABYTE;
const MEMORY = 300 * MEGABYTE;
const META =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}';

/** Makes lines, valid and not, and remembers what must be answered. */
class Fuzz {
  readonly ids: number[] = [];
  /** How many lines that are no message were made: each is answered without an id. */
  faults = 0;
  readonly #dice = new Dice();
  readonly #noises = Array.from({ length: 500 }, () => this.#makeNoise());
  readonly #long = 'x'.repeat(5 * MEGABYTE);

  line(): string {
    const kind = this.#dice.throw(1000);
    if (kind < 600) return this.#request();
    this.faults += 1;
    if (kind < 601 && this.#dice.throw(60) === 0) return this.#long;
    if (kind < 602) return '['.repeat(10_000);
    if (kind < 800) return this.#request(false).slice(0, -1 - this.#dice.throw(40));
    return this.#noises[this.#dice.throw(this.#noises.length)] ?? '';
  }

  #request(isCounted = true): string {
    const id = this.#dice.throw(2 ** 31) + 2 ** 31 * this.ids.length;
    if (isCounted) this.ids.push(id);
    const padding = 'é'.repeat(this.#dice.throw(400));
    const call = `"method":"tools/call","params":{"name":"fill","arguments":{"size":${this.#dice.throw(500)}},"x":"${padding}"`;
    const ping = `"method":"ping","params":{"x":"${padding}"`;
    const what = [ping, call, `${call},${META}`][this.#dice.throw(3)];
    return `{"jsonrpc":"2.0","id":${id},${what}}}`;
  }

  /** Bytes of all kinds but the one that would end the line; `%` sees to it that they are no JSON. */
  #makeNoise(): string {
    const length = 1 + this.#dice.throw(600);
    const bytes = Array.from({ length }, () => this.#dice.throw(256)).filter((byte) => byte !== 0x0a);
    return `%${String.fromCharCode(...bytes)}`;
  }
}

describe('A server over stdio', () => {
  let program: StdioProgram;

  afterEach(() => program.finish());

  it('answers every valid request among 40 MB of noise, in bounded memory (STDIO-02)', async () => {
    program = new StdioProgram(PROGRAM);
    await program.initialize();
    const fuzz = new Fuzz();
    let highest = 0;
    for (let fed = 0; fed < FED;) {
      let chunk = '';
      while (chunk.length < 65_536) chunk += `${fuzz.line()}\n`;
      const bytes = Buffer.from(chunk, fed % 2 === 0 ? 'utf8' : 'latin1');
      fed += bytes.length;
      await program.write(bytes);
      highest = Math.max(highest, program.memory);
    }
    expect(await program.finish(60_000)).toBe(0);

    const answered = new Set<unknown>();
    let refused = 0;
    for (const { id, result } of program.messages) {
      if (result !== undefined) answered.add(id);
      else refused += 1;
    }
    expect(fuzz.ids.length).toBeGreaterThan(50_000);
    expect(fuzz.ids.filter((id) => !answered.has(id))).toEqual([]);
    expect(refused).toBe(fuzz.faults);
    expect(highest).toBeLessThan(MEMORY);
  }, 120_000);

  it(`answers pings among 10,000 malformed messages, and writes nothing that is none (SAFE-01) (STDIO-02)`, async () => {
    program = new StdioProgram(PROGRAM);
    await program.initialize();
    const dice = new Dice();
    const pings = Array.from({ length: 100 }, (_, index) => `ping ${index}`);
    for (const id of pings) {
      const bodies = Array.from({ length: 100 }, () => makeBody(dice).filter((byte) => byte !== 0x0a));
      await program.write(Buffer.concat(bodies.flatMap((body) => [body, Buffer.from('\n')])));
      program.send({ jsonrpc: '2.0', id, method: 'ping' });
    }
    expect(await program.finish(60_000)).toBe(0);
    const answered = new Set(program.messages.filter((one) => 'result' in one).map(({ id }) => id));
    expect({ seed: SEED, missed: pings.filter((id) => !answered.has(id)) }).toEqual({
      seed: SEED,
      missed: [],
    });
    expect(program.messages.filter(({ jsonrpc }) => jsonrpc !== '2.0')).toEqual([]);
  });

  it('loses no answer to a client that does not read for a while, and stays small (STDIO-01)', async () => {
    program = new StdioProgram(PROGRAM);
    await program.initialize();
    program.output.pause();
    const count = 2000;
    let isTaken = true;
    for (let id = 0; id < count; id++) {
      const params = { name: 'fill', arguments: { size: 200_000 }, _meta: { progressToken: id } };
      isTaken = program.send({ jsonrpc: '2.0', id, method: 'tools/call', params, padding: 'x'.repeat(1000) });
    }
    expect(isTaken).toBe(false);
    const memory = new Plateau();
    // Whoever is not read from does not read either: what the process holds settles.
    await until(() => memory.isReachedBy(program.memory), 'memory to settle', 20_000);
    program.output.resume();
    expect(await program.finish(60_000)).toBe(0);
    const answered = program.messages.filter((message) => 'result' in message);
    expect(new Set(answered.map(({ id }) => id)).size).toBe(count + 1);
    expect(memory.highest).toBeLessThan(MEMORY);
  }, 120_000);
});

/** Tells whether a figure has not grown for a second. */
class Plateau {
  highest = 0;
  #since = performance.now();

  isReachedBy(figure: number): boolean {
    if (figure > this.highest) {
      this.highest = figure;
      this.#since = performance.now();
    }
    return performance.now() - this.#since > 1000;
  }
}
